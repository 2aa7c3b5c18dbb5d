import { d1Source } from '../d1/data-module.ts'
import { kvSource } from '../kv/data-module.ts'
import { r2Source } from '../r2/data-module.ts'

/**
 * The REST API's access to the data of a group: one worker with every resource bound under its id. Paths are `/<kind>/<id>`;
 * errors of a product are returned as 400 with their message. Apps cannot reach it, because none is bound to it.
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
