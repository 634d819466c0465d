import { defineStore } from 'pinia'
import { computed, readonly, shallowReadonly, shallowRef } from 'vue'
import { messageOf } from '#renderer/api/reply.ts'
import { useApi, useConnection } from '#renderer/api/use-api.ts'
import type { LoadState } from '#renderer/state/load-state.ts'
import type { AppInfo } from '#shared/ipc/contract.ts'

/** What the host says about itself, and whether it can be reached. */
export const useAppStore = defineStore('app', () => {
  const api = useApi()
  const connection = useConnection()
  const info = shallowRef<AppInfo>()
  const loadState = shallowRef<LoadState>({ kind: 'idle' })
  const storageProblem = computed(() =>
    info.value?.storage.kind === 'unavailable' ? info.value.storage.message : undefined,
  )
  connection.onReconnect(() => {
    void load()
  })

  async function load(): Promise<void> {
    loadState.value = { kind: 'loading' }
    try {
      info.value = await api.invoke('app:info', null)
      loadState.value = { kind: 'ready' }
    } catch (error) {
      loadState.value = { kind: 'failed', message: messageOf(error) }
    }
  }

  return {
    info: shallowReadonly(info),
    loadState: readonly(loadState),
    connectionState: connection.state,
    storageProblem,
    load,
  }
})
