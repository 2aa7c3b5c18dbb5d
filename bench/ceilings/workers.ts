import type { Service } from '../harness/service.ts'
import { createLocalAccount } from './wrangler.ts'

/**
 * The baseline of the app benchmarks, the least code that stores notes and lists the newest twenty: here in a
 * Durable Object with SQLite, below in D1.
 */
export const OBJECT_WORKER = `import { DurableObject } from 'cloudflare:workers'
export class Notes extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env)
    ctx.storage.sql.exec('create table if not exists notes (id text primary key, text text) without rowid')
  }
  list() { return this.ctx.storage.sql.exec('select id, text from notes order by id desc limit 20').toArray() }
  add(text) {
    const id = Date.now().toString(36) + crypto.randomUUID()
    this.ctx.storage.sql.exec('insert into notes values (?, ?)', id, text)
    return { id, text }
  }
}
export default {
  async fetch(request, env) {
    const notes = env.NOTES.getByName('app')
    if (request.method === 'GET') return Response.json(await notes.list())
    return Response.json(await notes.add((await request.json()).text))
  },
}
`
const D1_WORKER = `export default {
  async fetch(request, env) {
    if (request.method === 'GET') {
      const { results } = await env.DB.prepare('select id, text from notes order by id desc limit 20').all()
      return Response.json(results)
    }
    const id = Date.now().toString(36) + crypto.randomUUID()
    const { text } = await request.json()
    await env.DB.prepare('insert into notes values (?, ?)').bind(id, text).run()
    return Response.json({ id, text })
  },
}
`

interface Workshop {
  call(method: string, path: string, body?: object): Promise<{ uuid: string }>
  /** Returns the address of the worker. */
  deploy(name: string, source: string, metadata: object): Promise<string>
}

export async function deployByHand(service: Service): Promise<Workshop> {
  const { account, token } = await createLocalAccount(service)
  const call: Workshop['call'] = async (method, path, body) => {
    const response = await fetch(`${service.worldUrl}/cloudflare/client/v4/accounts/${account.id}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
    const { success, errors, result } = (await response.json()) as {
      success: boolean
      errors: { message: string }[]
      result: { uuid: string }
    }
    if (!success) throw new Error(`${method} ${path}: ${errors[0]?.message}`)
    return result
  }
  const deploy: Workshop['deploy'] = async (name, source, metadata) => {
    const form = new FormData()
    const all = { main_module: 'index.js', compatibility_date: '2026-06-01', ...metadata }
    form.set('metadata', JSON.stringify(all))
    form.set('index.js', new File([source], 'index.js', { type: 'application/javascript+module' }))
    await call('PUT', `/workers/scripts/${name}`, form)
    await call('POST', `/workers/scripts/${name}/subdomain`, { enabled: true })
    return `http://${name}.${account.subdomain}.localhost:${service.appsPort}`
  }
  return { call, deploy }
}

/** Deploys both workers through the Cloudflare API, without the service, into a separate account; returns their addresses. */
export async function deployNoteWorkers(service: Service): Promise<{ object: string; d1: string }> {
  const { call, deploy } = await deployByHand(service)
  const database = await call('POST', '/d1/database', { name: 'notes' })
  const sql = 'create table notes (id text primary key, text text)'
  await call('POST', `/d1/database/${database.uuid}/query`, { sql })
  return {
    object: await deploy('notes-object', OBJECT_WORKER, {
      bindings: [{ type: 'durable_object_namespace', name: 'NOTES', class_name: 'Notes' }],
      migrations: { new_tag: 'v1', new_sqlite_classes: ['Notes'] },
    }),
    d1: await deploy('notes-d1', D1_WORKER, { bindings: [{ type: 'd1', name: 'DB', id: database.uuid }] }),
  }
}
