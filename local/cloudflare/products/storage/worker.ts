import { d1Source } from '../d1/data-module.ts'
import { kvSource } from '../kv/data-module.ts'
import { r2Source } from '../r2/data-module.ts'

/**
 * Gives the REST API its way to what a group keeps: one worker that has every resource bound under its id. A path is
 * `/<kind>/<id>`, and what a product refuses comes back as 400 with its message. Apps cannot reach it: it is bound
 * nowhere, and they do not reach this machine.
 */
const main = `
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

/** Its modules by name; the first is the entry. */
export const dataWorkerModules = {
  'index.js': main,
  'd1.js': d1Source,
  'kv.js': kvSource,
  'r2.js': r2Source,
}
