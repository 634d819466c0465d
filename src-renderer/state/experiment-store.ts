import { defineStore } from 'pinia'
import { computed, readonly, shallowReadonly, shallowRef } from 'vue'
import { messageOf } from '#renderer/api/reply.ts'
import { useApi, useConnection } from '#renderer/api/use-api.ts'
import type { LoadState } from '#renderer/state/load-state.ts'
import type { ExperimentSummary, Input, Output } from '#shared/ipc/contract.ts'

/** The history: what was run, and what can be done with it. */
export const useExperimentStore = defineStore('experiment', () => {
  const api = useApi()
  const summaries = shallowRef<readonly ExperimentSummary[]>([])
  const trashed = shallowRef<readonly ExperimentSummary[]>([])
  const loadState = shallowRef<LoadState>({ kind: 'idle' })
  const newestFirst = computed(() =>
    summaries.value.toSorted((a, b) => b.createdAtMs - a.createdAtMs || b.id - a.id),
  )
  let isLoading = false
  let isStale = false

  /** Loads the list; asked again while it loads, it loads once more afterwards. */
  async function load(): Promise<void> {
    isStale = true
    if (isLoading) return
    isLoading = true
    if (loadState.value.kind !== 'ready') loadState.value = { kind: 'loading' }
    try {
      await loadUntilFresh()
      loadState.value = { kind: 'ready' }
    } catch (error) {
      loadState.value = { kind: 'failed', message: messageOf(error) }
    } finally {
      isLoading = false
    }
  }

  async function loadUntilFresh(): Promise<void> {
    while (isStale) {
      isStale = false
      const [present, inTrash] = await Promise.all([
        api.invoke('experiment:list', { trashed: false }),
        api.invoke('experiment:list', { trashed: true }),
      ])
      summaries.value = present
      trashed.value = inTrash
    }
  }

  const reloadIfUsed = (): void => {
    if (loadState.value.kind !== 'idle') void load()
  }
  api.on('history:changed', reloadIfUsed)
  useConnection().onReconnect(reloadIfUsed)

  const start = (input: Input<'experiment:start'>): Promise<Output<'experiment:start'>> =>
    api.invoke('experiment:start', input)

  /** Simulates a deployment and keeps it. */
  async function saveDeployment(input: Input<'decode:save'>): Promise<Output<'decode:save'>> {
    return await api.invoke('decode:save', input)
  }

  async function rename(id: number, name: string): Promise<void> {
    await api.invoke('experiment:rename', { id, name })
    await load()
  }

  async function annotate(input: Input<'experiment:annotate'>): Promise<void> {
    await api.invoke('experiment:annotate', input)
    await load()
  }

  async function trash(ids: readonly number[]): Promise<void> {
    await api.invoke('experiment:trash', { ids: [...ids] })
    await load()
  }

  async function restore(ids: readonly number[]): Promise<void> {
    await api.invoke('experiment:restore', { ids: [...ids] })
    await load()
  }

  /** For good; only what is in the trash. */
  async function deleteForGood(ids: readonly number[]): Promise<void> {
    await api.invoke('experiment:delete', { ids: [...ids] })
    await load()
  }

  return {
    newestFirst,
    trashed: shallowReadonly(trashed),
    loadState: readonly(loadState),
    load,
    start,
    saveDeployment,
    rename,
    annotate,
    trash,
    restore,
    deleteForGood,
  }
})
