import { resolveExperiment } from '#shared/simulate/select-dataflow.ts'
import type { Channel } from '#shared/ipc/channels.ts'
import type { Handlers } from '#main/ipc/dispatch.ts'
import type { Services } from '#main/ipc/services.ts'

export const experimentHandlers = (
  services: Services,
): Pick<Handlers, Extract<Channel, `experiment:${string}`>> => ({
  'experiment:start': ({ spec, again }) => services.startExperiment(resolveExperiment(spec), again),
  'experiment:list': ({ trashed }) => services.withHistory(history => history.list(trashed)),
  'experiment:get': ({ id }) => services.withHistory(history => history.get(id)),
  'experiment:rename': ({ id, name }) => {
    services.changeHistory(history => {
      history.rename(id, name)
    })
    return null
  },
  'experiment:annotate': ({ id, note, tags }) => {
    services.changeHistory(history => {
      history.annotate(id, note, tags)
    })
    return null
  },
  'experiment:trash': ({ ids }) => {
    services.changeHistory(history => {
      history.trash(ids)
    })
    return null
  },
  'experiment:restore': ({ ids }) => {
    services.changeHistory(history => {
      history.restore(ids)
    })
    return null
  },
  'experiment:delete': ({ ids }) => {
    services.deleteExperiments(ids)
    return null
  },
})
