import type { Handlers } from '#main/ipc/dispatch.ts'
import type { Services } from '#main/ipc/services.ts'

export const draftHandlers = (services: Services): Pick<Handlers, 'draft:load' | 'draft:keep'> => ({
  'draft:load': key => services.withHistory(history => history.drafts.load(key)) ?? null,
  'draft:keep': change => {
    services.withHistory(history => {
      history.drafts.keep(change)
    })
    return null
  },
})
