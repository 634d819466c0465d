import { ElMessage } from 'element-plus'
import { readonly, shallowRef } from 'vue'
import { messageOf } from '#renderer/api/reply.ts'

/** Runs what a button asks for: one at a time, and says so if it fails. */
export function useTask() {
  const isBusy = shallowRef(false)

  /** @returns whether the task succeeded; false as well while another one runs */
  async function run(task: () => Promise<unknown>): Promise<boolean> {
    if (isBusy.value) return false
    isBusy.value = true
    try {
      await task()
      return true
    } catch (error) {
      ElMessage({ type: 'error', message: messageOf(error), duration: 8000, showClose: true })
      return false
    } finally {
      isBusy.value = false
    }
  }

  return { isBusy: readonly(isBusy), run }
}
