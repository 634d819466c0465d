import { defineStore } from 'pinia'
import { computed, shallowReactive, shallowRef } from 'vue'
import { commands, type Command, type CommandId } from '#renderer/state/commands.ts'
import { shortcutText } from '#renderer/state/shortcut.ts'

/** What a command does on the page that is open. */
export interface CommandHandler {
  readonly run: () => void
  /** Left out: always. */
  readonly isEnabled?: () => boolean
}
export type CommandHandlers = Partial<Record<CommandId, CommandHandler>>

const KEY = 'tessera.shortcuts'

/** The commands of the open page, and the shortcuts that the person has set. */
export const useCommandStore = defineStore('command', () => {
  const handlers = shallowReactive(new Map<CommandId, CommandHandler>())
  const own = shallowRef(storedShortcuts())
  const isMac = navigator.platform.includes('Mac')

  const shortcutsOf = (command: Command): readonly string[] =>
    own.value[command.id] ?? command.shortcuts

  const byShortcut = computed(
    () => new Map(commands.flatMap(command => shortcutsOf(command).map(key => [key, command]))),
  )
  const available = computed(() => commands.filter(({ id }) => isEnabled(id)))

  function isEnabled(id: CommandId): boolean {
    const handler = handlers.get(id)
    return handler !== undefined && (handler.isEnabled?.() ?? true)
  }

  /** @returns a function that takes the handlers away again */
  function provide(provided: CommandHandlers): () => void {
    const entries = Object.entries(provided) as [CommandId, CommandHandler][]
    for (const [id, handler] of entries) handlers.set(id, handler)
    return () => {
      for (const [id, handler] of entries) {
        if (handlers.get(id) === handler) handlers.delete(id)
      }
    }
  }

  /** @returns whether there was something to run */
  function run(id: CommandId): boolean {
    if (!isEnabled(id)) return false
    handlers.get(id)?.run()
    return true
  }

  /** @returns whether the keys belong to a command of the open page, enabled or not */
  function runShortcut(shortcut: string): boolean {
    const command = byShortcut.value.get(shortcut)
    if (command === undefined || !handlers.has(command.id)) return false
    run(command.id)
    return true
  }

  /**
   * Sets the one shortcut of a command; undefined takes it away.
   * @returns the command that has it already, in which case nothing changes
   */
  function setShortcut(id: CommandId, shortcut: string | undefined): Command | undefined {
    const holder = shortcut === undefined ? undefined : byShortcut.value.get(shortcut)
    if (holder !== undefined && holder.id !== id) return holder
    store({ ...own.value, [id]: shortcut === undefined ? [] : [shortcut] })
    return undefined
  }

  /** Back to the usual shortcut of one command; refused like `setShortcut` if another has it. */
  function resetShortcut(id: CommandId): Command | undefined {
    const command = commands.find(other => other.id === id)
    const holder = command?.shortcuts
      .map(shortcut => byShortcut.value.get(shortcut))
      .find(other => other !== undefined && other.id !== id)
    if (holder !== undefined) return holder
    store(Object.fromEntries(Object.entries(own.value).filter(([key]) => key !== id)))
    return undefined
  }

  const resetAll = (): void => {
    store({})
  }

  function store(shortcuts: OwnShortcuts): void {
    own.value = shortcuts
    localStorage.setItem(KEY, JSON.stringify(shortcuts))
  }

  const isOwn = (id: CommandId): boolean => own.value[id] !== undefined
  const hasOwn = computed(() => Object.keys(own.value).length > 0)

  /** The shortcuts of a command as text, for titles and lists. */
  function keysOf(id: CommandId): readonly string[] {
    const command = commands.find(other => other.id === id)
    return command === undefined ? [] : shortcutsOf(command).map(keys => shortcutText(keys, isMac))
  }

  return {
    available,
    isOwn,
    hasOwn,
    keysOf,
    provide,
    run,
    runShortcut,
    setShortcut,
    resetShortcut,
    resetAll,
  }
})

type OwnShortcuts = Partial<Record<CommandId, readonly string[]>>

/** What is stored is the person's and may be old: commands that are gone and odd values are left out. */
function storedShortcuts(): OwnShortcuts {
  const ids = new Set<string>(commands.map(({ id }) => id))
  const isList = (value: unknown): boolean =>
    Array.isArray(value) && value.every(key => typeof key === 'string')
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as unknown
    if (typeof stored !== 'object' || stored === null) return {}
    return Object.fromEntries(
      Object.entries(stored).filter(([id, value]) => ids.has(id) && isList(value)),
    )
  } catch {
    return {}
  }
}
