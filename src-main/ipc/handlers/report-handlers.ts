import type { Handlers } from '#main/ipc/dispatch.ts'
import type { Services } from '#main/ipc/services.ts'

export const reportHandlers = (services: Services): Pick<Handlers, 'report:export'> => ({
  'report:export': ({ experimentIds }) => {
    const ids = [...new Set(experimentIds)]
    services.withHistory(history => {
      for (const id of ids) history.get(id)
    })
    return services.printReport(ids)
  },
})
