import type { Handlers } from '#main/ipc/dispatch.ts'
import type { Services } from '#main/ipc/services.ts'

export const jobHandlers = (services: Services): Pick<Handlers, 'job:cancel' | 'job:list'> => ({
  'job:cancel': ({ runId }) => {
    services.cancelRun(runId)
    return null
  },
  'job:list': () => services.withHistory(history => history.openRuns()),
})
