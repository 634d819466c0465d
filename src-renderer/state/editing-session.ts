const KEY = 'tessera.editing-session'

let session: Promise<string> | undefined

/**
 * The name of this window for its drafts: the same after a reload, another one in each window. A
 * window that was duplicated has the storage of the first, but not its lock.
 */
export const editingSession = (): Promise<string> => (session ??= nameOfWindow())

async function nameOfWindow(): Promise<string> {
  const stored = sessionStorage.getItem(KEY)
  const name = stored !== null && (await isFree(stored)) ? stored : crypto.randomUUID()
  if (name !== stored) void isFree(name)
  sessionStorage.setItem(KEY, name)
  return name
}

/** Takes the lock of a name for as long as the window is there. @returns whether it was free */
function isFree(name: string): Promise<boolean> {
  // Not where the page has no secure origin: then two windows may share a draft.
  const { locks } = navigator as { readonly locks?: LockManager | null }
  if (locks === undefined || locks === null) return Promise.resolve(true)
  return new Promise(resolve => {
    void locks.request(`${KEY}.${name}`, { ifAvailable: true }, lock => {
      resolve(lock !== null)
      return lock === null ? undefined : new Promise<void>(() => undefined)
    })
  })
}
