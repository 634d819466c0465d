import { computed, shallowRef, toValue, watch, type MaybeRefOrGetter } from 'vue'
import {
  filterRows,
  historyRow,
  sortRows,
  type SortKey,
  type Sorting,
} from '#renderer/features/history/history-rows.ts'
import type { ExperimentSummary } from '#shared/ipc/contract.ts'

export const PAGE_SIZE = 50

/** Search, order, page and selection of a list of experiments. */
export function useHistoryTable(summaries: MaybeRefOrGetter<readonly ExperimentSummary[]>) {
  const search = shallowRef('')
  const sorting = shallowRef<Sorting>({ key: 'createdAtMs', direction: 'descending' })
  const page = shallowRef(1)
  const chosen = shallowRef<ReadonlySet<number>>(new Set())

  const rows = computed(() => toValue(summaries).map(historyRow))
  const found = computed(() => sortRows(filterRows(rows.value, search.value), sorting.value))
  const pageCount = computed(() => Math.max(1, Math.ceil(found.value.length / PAGE_SIZE)))
  const shown = computed(() =>
    found.value.slice((page.value - 1) * PAGE_SIZE, page.value * PAGE_SIZE),
  )
  /** In the order of the table; what is gone is no longer selected. */
  const selected = computed(() =>
    sortRows(rows.value, sorting.value)
      .map(row => row.id)
      .filter(id => chosen.value.has(id)),
  )
  const isPageSelected = computed(
    () => shown.value.length > 0 && shown.value.every(row => chosen.value.has(row.id)),
  )

  watch([search, sorting], () => {
    page.value = 1
  })
  watch(pageCount, count => {
    page.value = Math.min(page.value, count)
  })

  function sortBy(key: SortKey): void {
    const isSame = sorting.value.key === key
    const isAscending = isSame ? sorting.value.direction === 'descending' : key !== 'createdAtMs'
    sorting.value = { key, direction: isAscending ? 'ascending' : 'descending' }
  }

  function select(ids: readonly number[], isSelected: boolean): void {
    const next = new Set(chosen.value)
    for (const id of ids) {
      if (isSelected) next.add(id)
      else next.delete(id)
    }
    chosen.value = next
  }

  const selectPage = (isSelected: boolean): void => {
    select(
      shown.value.map(row => row.id),
      isSelected,
    )
  }
  const clearSelection = (): void => {
    chosen.value = new Set()
  }

  return {
    search,
    sorting,
    page,
    found,
    shown,
    chosen,
    selected,
    isPageSelected,
    sortBy,
    select,
    selectPage,
    clearSelection,
  }
}
