import type { Handlers } from '#main/ipc/dispatch.ts'
import type { Services } from '#main/ipc/services.ts'
import type { Channel } from '#shared/ipc/channels.ts'

export const validationHandlers = ({
  validation,
}: Pick<Services, 'validation'>): Pick<Handlers, Extract<Channel, `validation:${string}`>> => ({
  'validation:get': ({ engine }) => validation.get(engine),
  'validation:start': ({ engine }) => {
    validation.start(engine)
    return null
  },
  'validation:cancel': ({ engine }) => {
    validation.cancel(engine)
    return null
  },
})
