import type { Service } from '../harness/service.ts'
import { deployByHand } from './workers.ts'

/**
 * The baseline of the benchmark of apps with signed-in people: one Durable Object per person with the session and that person's own notes,
 * and one with the shared notes. `POST /hash` only hashes a password.
 */
const PEOPLE_WORKER = `import { DurableObject } from 'cloudflare:workers'
import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

const hashOf = (text) => createHash('sha256').update(text).digest('hex')

export class Notes extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env)
    ctx.storage.sql.exec('create table if not exists sessions (id text primary key, hash text, expires_at text) without rowid')
    ctx.storage.sql.exec('create table if not exists notes (id text primary key, text text) without rowid')
  }
  open() {
    const [id, secret] = [randomBytes(8).toString('hex'), randomBytes(32).toString('hex')]
    const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString()
    this.ctx.storage.sql.exec('insert into sessions values (?, ?, ?)', id, hashOf(secret), expiresAt)
    return id + '.' + secret
  }
  isValid(id, secret) {
    const now = new Date().toISOString()
    const [row] = this.ctx.storage.sql.exec('select hash from sessions where id = ? and expires_at > ?', id, now).toArray()
    return row !== undefined && timingSafeEqual(Buffer.from(row.hash), Buffer.from(hashOf(secret)))
  }
  ownList(id, secret) { return this.isValid(id, secret) ? this.list() : null }
  ownAdd(id, secret, text) { return this.isValid(id, secret) ? this.add(text) : null }
  list() { return this.ctx.storage.sql.exec('select id, text from notes order by id desc limit 20').toArray() }
  add(text) {
    const id = Date.now().toString(36) + crypto.randomUUID()
    this.ctx.storage.sql.exec('insert into notes values (?, ?)', id, text)
    return { id, text }
  }
}

const refused = () => new Response('Sign in first.', { status: 401 })

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url)
    if (pathname === '/session') return new Response('u1.' + (await env.NOTES.getByName('u1').open()))
    if (pathname === '/hash') {
      const { password } = await request.json()
      const cost = { N: 16384, r: 8, p: 5 }
      const key = await new Promise((resolve, reject) =>
        scrypt(password, randomBytes(16), 32, cost, (error, found) => (error ? reject(error) : resolve(found))))
      return Response.json({ key: key.toString('hex') })
    }
    const cookie = /app_session=([^;]+)/.exec(request.headers.get('cookie') ?? '')
    if (cookie === null) return refused()
    const [user, id, secret] = cookie[1].split('.')
    const person = env.NOTES.getByName(user)
    const text = request.method === 'POST' ? (await request.json()).text : null
    if (pathname === '/api/own') {
      const own = text === null ? await person.ownList(id, secret) : await person.ownAdd(id, secret, text)
      return own === null ? refused() : Response.json(own)
    }
    if (!(await person.isValid(id, secret))) return refused()
    const shared = env.NOTES.getByName('app')
    return Response.json(text === null ? await shared.list() : await shared.add(text))
  },
}
`

/** Deploys the worker through the Cloudflare API, without the service, into a separate account; returns its address. */
export async function deployPeopleWorker(service: Service): Promise<string> {
  const { deploy } = await deployByHand(service)
  return deploy('people-object', PEOPLE_WORKER, {
    compatibility_flags: ['nodejs_compat'],
    bindings: [{ type: 'durable_object_namespace', name: 'NOTES', class_name: 'Notes' }],
    migrations: { new_tag: 'v1', new_sqlite_classes: ['Notes'] },
  })
}
