import { bindingKind, shims } from '../../products/index.ts'
import { internalWorker, type InternalWorker } from '../internal-worker.ts'
import { Response as RuntimeResponse } from '../miniflare.ts'
import { askSource, handleRpc, SHIMS_WORKER } from '../../workerd/rpc.ts'
import { eventBindings, eventEntrySource, hasEventHandlers } from './event-entry.ts'

const shimModules = {
  'index.js': shims
    .map(({ className }) => `export { ${className} } from './${className}.js'`)
    .concat(`export { default } from './events.js'`)
    .join('\n'),
  'ask.js': askSource,
  'events.js': eventEntrySource,
  ...Object.fromEntries(shims.map(({ className, source }) => [`${className}.js`, source])),
}

export const shimsWorker: InternalWorker = {
  name: SHIMS_WORKER,
  hasSocket: true,
  isBound: true,
  isNeeded: (plan) =>
    hasEventHandlers(plan) ||
    plan.workers.some(({ content }) =>
      content.bindings.some(({ type }) => bindingKind(type)?.usesShims === true),
    ),
  build: (plan, { rpcHandlers }) =>
    internalWorker(SHIMS_WORKER, shimModules, {
      compatibilityFlags: ['experimental', 'service_binding_extra_handlers'],
      env: {
        ...eventBindings(plan),
        HOST: {
          type: 'fetcher',
          handler: async (request) => {
            const { body, status, statusText, headers } = await handleRpc(rpcHandlers, request)
            return new RuntimeResponse(body, { status, statusText, headers: [...headers] })
          },
        },
      },
    }),
}
