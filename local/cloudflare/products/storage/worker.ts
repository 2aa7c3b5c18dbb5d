import { d1Source } from '../d1/data-module.ts'
import { kvSource } from '../kv/data-module.ts'
import { r2Source } from '../r2/data-module.ts'

/**
 * The internal worker `_data`, through which the REST API accesses the data of a process: every resource is
 * bound under its id. Paths are `/<kind>/<id>`; errors of a product are returned as 400 with their message.
 * No app has a binding to this worker.
 */
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
      return await products[kind](env[id], request, url.searchParams)
    } catch (error) {
      return Response.json({ message: String(error.message) }, { status: 400 })
    }
  },
}
`

/** The first module is the entry. */
export const dataWorkerModules = {
  'index.js': mainModule,
  'd1.js': d1Source,
  'kv.js': kvSource,
  'r2.js': r2Source,
}
