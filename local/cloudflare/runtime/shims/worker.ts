import { bindingKind } from '../../products/index.ts'
import { internalWorker, type InternalWorker } from '../internal-worker.ts'
import { Response as RuntimeResponse } from '../miniflare.ts'
import { ai } from '../../products/ai/shim.ts'
import { analyticsEngine } from '../../products/analytics-engine/shim.ts'
import { browser } from '../../products/browser/shim.ts'
import { answerShim, askSource } from './rpc-handlers.ts'
import { doorBindings, doorSource, hasDoors } from './event-entry.ts'
import { queueProducer } from '../../products/queues/shim.ts'
import { type Shim, SHIMS_WORKER } from './shim.ts'
import { stream } from '../../products/stream/shim.ts'

/** A new class is a line here, and who answers it a line in the desk (`world.ts`). */
const shims: Shim[] = [queueProducer, analyticsEngine, ai, stream, browser]

const modules = {
  'index.js': shims
    .map(({ className }) => `export { ${className} } from './${className}.js'`)
    .concat(`export { default } from './doors.js'`)
    .join('\n'),
  'ask.js': askSource,
  'doors.js': doorSource,
  ...Object.fromEntries(shims.map(({ className, source }) => [`${className}.js`, source])),
}

/** Classes that stand in for products, and the way in for events. */
export const shimsWorker: InternalWorker = {
  name: SHIMS_WORKER,
  hasSocket: true,
  isBound: true,
  isNeeded: (plan) =>
    hasDoors(plan) ||
    plan.workers.some(({ content }) =>
      content.bindings.some(({ type }) => bindingKind(type)?.usesShims === true),
    ),
  build: (plan, { desk }) =>
    internalWorker(SHIMS_WORKER, modules, {
      compatibilityFlags: ['experimental', 'service_binding_extra_handlers'],
      env: {
        ...doorBindings(plan),
        WORLD: {
          type: 'fetcher',
          handler: async (request) => {
            const { body, status, statusText, headers } = await answerShim(desk, request)
            return new RuntimeResponse(body, { status, statusText, headers: [...headers] })
          },
        },
      },
    }),
}
