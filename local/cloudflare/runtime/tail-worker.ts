import { type InternalWorker, internalWorker } from './internal-worker.ts'
import { Response as RuntimeResponse } from './miniflare.ts'
import type { GroupPlan, PlannedWorker } from '../workerd/plan.ts'
import { TAIL_ENTRYPOINT, TAIL_WORKER, tailWorkerSource } from '../observability/tail/worker-source.ts'
import { observationOf } from '../observability/tail/observation.ts'
import type { TailReport } from '../observability/tail/sessions.ts'

const isTailed = (plan: GroupPlan, { script, content }: PlannedWorker): boolean =>
  observationOf(script, content) === 'invocations' || plan.listening.includes(script.name)

/** Returns the tail consumer of a worker; null when its reports are not needed. */
export function tailConsumerOf(plan: GroupPlan, worker: PlannedWorker) {
  if (!isTailed(plan, worker)) return null
  const { script, content } = worker
  const props = { script: script.name, isObserved: observationOf(script, content) !== 'nothing' }
  return { worker: TAIL_WORKER, entrypoint: TAIL_ENTRYPOINT, props }
}

export const tailWorker: InternalWorker = {
  name: TAIL_WORKER,
  hasSocket: true,
  isBound: false,
  isNeeded: (plan) => plan.workers.some((worker) => isTailed(plan, worker)),
  build: (plan, { onReports }) =>
    internalWorker(TAIL_WORKER, tailWorkerSource, {
      env: {
        LISTENING: { type: 'json', value: plan.listening },
        HOST: {
          type: 'fetcher',
          handler: async (request) => {
            const listening = onReports((await request.json()) as TailReport[])
            return new RuntimeResponse(JSON.stringify(listening))
          },
        },
      },
    }),
}
