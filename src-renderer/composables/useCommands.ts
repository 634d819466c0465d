import { onScopeDispose } from 'vue'
import { useCommandStore, type CommandHandlers } from '#renderer/state/command-store.ts'

/** Says what these commands do while the calling component is there. */
export function useCommands(handlers: CommandHandlers): void {
  onScopeDispose(useCommandStore().provide(handlers))
}
