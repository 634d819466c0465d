import type { Handlers } from '#main/ipc/dispatch.ts'
import type { Services } from '#main/ipc/services.ts'

export const appHandlers = (services: Services): Pick<Handlers, 'app:info'> => ({
  'app:info': () => services.info(),
})
