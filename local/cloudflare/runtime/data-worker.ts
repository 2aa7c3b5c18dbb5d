import { d1Source } from '../products/d1/data-module.ts'
import { kvSource } from '../products/kv/data-module.ts'
import { r2Source } from '../products/r2/data-module.ts'
import type { Resource } from '../store/resources.ts'
import { nativeBinding, type RuntimeBinding } from '../workerd/native-binding.ts'
import { DATA_WORKER } from '../workerd/plan.ts'
import { internalWorker, type InternalWorker } from './internal-worker.ts'

const mainModule = `
import d1 from './d1.js'
import kv from './kv.js'
import r2 from './r2.js'
const products = { d1, kv, r2 }
export default {
  async fetch(request, env) {
    const url = new URL(request.url)
    const [, kind, id] = url.pathname.split('/')
    try {
      return await products[kind](env[id], request, url.searchParams, env['service:' + id])
    } catch (error) {
      return Response.json({ message: String(error.message) }, { status: 400 })
    }
  },
}
`

const dataWorkerModules = {
  'index.js': mainModule,
  'd1.js': d1Source,
  'kv.js': kvSource,
  'r2.js': r2Source,
}

/**
 * The internal worker `_data`, through which the REST API accesses the data of a process: every resource is
 * bound under its id. Paths are `/<kind>/<id>`; errors of a product are returned as 400 with their message.
 * No app has a binding to this worker.
 */
export const dataWorker: InternalWorker = {
  name: DATA_WORKER,
  hasSocket: true,
  isBound: false,
  isNeeded: (plan) => plan.resources.length > 0,
  build: (plan) =>
    internalWorker(DATA_WORKER, dataWorkerModules, {
      env: Object.fromEntries(plan.resources.flatMap(bindingsOf)),
    }),
}

function bindingsOf({ kind, id }: Resource): [string, RuntimeBinding][] {
  if (kind === 'r2') return [[id, { type: kind, name: id }]]
  if (kind === 'kv') return [[id, { type: kind, id }]]
  return [
    [id, { type: kind, id }],
    [`service:${id}`, databaseService(id)],
  ]
}

/** Returns a binding to the service behind Miniflare's D1 binding, which executes the SQL statements. */
const databaseService = (id: string): RuntimeBinding =>
  nativeBinding({
    service: { name: 'd1:db:entry', props: { json: JSON.stringify({ MINIFLARE_NAMESPACE: id }) } },
  })
