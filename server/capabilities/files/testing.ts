import assert from 'node:assert/strict'
import { type AppTree, starterTree } from '../../agent/source/tree.ts'
import { setClock } from '../../attachments/testing.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { openCloudApp, until } from '../../releases/testing.ts'

/** The server code of the app. It decides who gets a ticket, a link or a list. */
const ROUTES = `import { Hono } from 'hono'
import { files } from '@slipway/app/server'

export const routes = new Hono()
routes.post('/ticket', async (c) => c.json(await files.ticket(await c.req.json())))
routes.get('/link/:id', async (c) => c.text(await files.url(c.req.param('id'), { ttlSeconds: Number(c.req.query('ttl') ?? 60), download: c.req.query('download') === '1' })))
routes.get('/list', async (c) => c.json(await files.list({ owner: c.req.query('owner') ?? undefined, limit: Number(c.req.query('limit') ?? 50), cursor: c.req.query('cursor') })))
routes.post('/put', async (c) => c.json(await files.put(await c.req.text(), { name: c.req.query('name') ?? 'a.txt', type: c.req.query('type') ?? 'text/plain', owner: c.req.query('owner') })))
routes.get('/get/:id', async (c) => (await files.get(c.req.param('id'), c.req.raw)) ?? c.text('none', 404))
routes.delete('/:id', async (c) => c.json(await files.remove(c.req.param('id'))))
`

export interface Ref {
  id: string
  key: string
  name: string
  type: string
  size: number
  ownerId: string | null
  createdAt: string
}
export interface AppResponse<T> {
  ok: boolean
  data: T
  error?: { code: string; message: string }
}

/**
 * Opens a deployed app with files: at most 30 MB each and 40 MB for each person. The app has no accounts, like a project that enabled
 * files before files required accounts.
 */
export async function openFilesApp() {
  const cloud = await openCloudApp()
  setClock(cloud)
  const made = await cloud.personWithProject('Photos')
  const { person, path } = made
  const settled = () =>
    until(async () => {
      const { data } = await person.call<{ provision: { state: string; error: unknown } }>(
        `GET ${path}/capabilities/files`,
      )
      assert.notEqual(data.provision.state, 'error', JSON.stringify(data.provision.error))
      return data.provision.state === 'idle'
    })
  const on = await person.call(`PUT ${path}/capabilities/files`, {
    enabled: true,
    settings: { maxBytes: 30_000_000, perUserBytes: 40_000_000 },
  })
  assert.equal(on.status, 200, String(on.error?.message))
  await settled()
  await cloud.app.platform.db
    .updateTable('capabilities')
    .set({ enabled: false })
    .where('project_id', '=', made.project.id)
    .where('key', '=', 'auth')
    .execute()
  const early = await person.call(`GET ${path}/capabilities/files/objects`)
  assert.deepEqual([early.status, early.error?.code], [404, 'not_enabled'], 'on, but not deployed')
  const tree: AppTree = new Map([...starterTree('Photos'), ['server/routes.ts', ROUTES]])
  await cloud.build(made.project.id, tree)
  const shipped = await person.call<{ url: string }>(`POST ${path}/deploy`)
  assert.equal(shipped.status, 200, String(shipped.error?.message))
  const { url } = shipped.data
  const app = async (route: string, init: { body?: string; headers?: Record<string, string> } = {}) => {
    const [method = '', at = ''] = route.split(' ')
    return await cloudFetch(url + at, { method, ...init })
  }
  const json = async <T>(route: string, init: Parameters<typeof app>[1] = {}) =>
    (await (await app(route, init)).json()) as T
  const ticketOf = (options: object = {}) =>
    json<string>('POST /api/ticket', { body: JSON.stringify(options) })
  const open = (ticket: string, file: { name?: string; type?: string; size: number }) =>
    json<AppResponse<{ id: string; token: string; partBytes: number | null }>>('POST /_app/files', {
      body: JSON.stringify({ name: 'a.png', type: 'image/png', ...file }),
      headers: { 'x-files-ticket': ticket },
    })
  const put = async (to: { id: string; token: string }, bytes: Uint8Array<ArrayBuffer>, at = '') => {
    const answer = await cloudFetch(`${url}/_app/files/${to.id}${at}`, {
      method: 'PUT',
      headers: { 'x-files-token': to.token },
      body: bytes,
    })
    return (await answer.json()) as AppResponse<Ref>
  }
  const upload = async (bytes: Uint8Array<ArrayBuffer>, options: object = {}, type = 'image/png') => {
    const { data, error } = await open(await ticketOf(options), { size: bytes.byteLength, type })
    assert.equal(error, undefined)
    const done = await put(data, bytes)
    assert.equal(done.error, undefined)
    return done.data
  }
  const linkOf = async (id: string, query = '') => await (await app(`GET /api/link/${id}?${query}`)).text()
  return { cloud, person, path, url, settled, app, json, ticketOf, open, put, upload, linkOf }
}
export type FilesApp = Awaited<ReturnType<typeof openFilesApp>>

const HOME = `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`

const PEOPLE = ['ada', 'bob', 'sam'] as const

/**
 * Opens a deployed app in which three people have files: ada, bob, and sam, who is staff. Any other name is a visitor. `changes` are
 * merged into the `app.json` of the app; `home` is the source of the app's page.
 */
export async function openPeopleApp(changes: object, settings: object, home = HOME) {
  const cloud = await openCloudApp()
  const { person: operator, path: at, project } = await cloud.personWithProject('Photos')
  await operator.call(`PUT ${at}/capabilities/files`, { enabled: true, settings })
  const { data: auth } = await operator.call<{ enabled: boolean }>(`GET ${at}/capabilities/auth`)
  assert.equal(auth.enabled, true, 'accounts come with files')
  const manifest = { slipway: 1, name: 'Photos', uses: ['auth', 'files'], ...changes }
  if (manifest.uses.includes('data')) await operator.call(`PUT ${at}/capabilities/data`, { enabled: true })
  const pages = [{ path: '/', file: 'Home.tsx', title: 'Home' }]
  const tree: AppTree = new Map([
    ...starterTree('Photos'),
    ['app.json', JSON.stringify({ pages, collections: {}, ...manifest })],
    ['web/pages/Home.tsx', home],
  ])
  await cloud.build(project.id, tree)
  const shipped = await operator.call<{ url: string }>(`POST ${at}/deploy`)
  assert.equal(shipped.error, undefined)
  const { url } = shipped.data
  const cookies: Record<string, string> = {}
  const ids: Record<string, string> = {}

  const send = (
    who: string,
    method: string,
    path: string,
    { body, headers = {} }: { body?: string | Uint8Array<ArrayBuffer>; headers?: object } = {},
  ) =>
    cloudFetch(`${url}${path}`, {
      method,
      headers: { ...(cookies[who] && { cookie: cookies[who] }), ...headers },
      ...(body !== undefined && { body }),
    })
  const json = async <T>(who: string, method: string, path: string, body?: object) =>
    (await (
      await send(who, method, path, body === undefined ? {} : { body: JSON.stringify(body) })
    ).json()) as AppResponse<T>
  for (const name of PEOPLE) {
    const account = { email: `${name}@example.test`, password: `${name} likes apples`, name }
    const answer = await send(name, 'POST', '/_app/auth/sign-up', { body: JSON.stringify(account) })
    cookies[name] = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    ids[name] = ((await answer.json()) as AppResponse<{ user: { id: string } }>).data.user.id
  }
  await operator.call(`POST ${at}/capabilities/auth/users/${ids['sam']}/role`, { role: 'staff' })

  const open = (who: string, size: number, more: object = {}) =>
    json<{ id: string; token: string }>(who, 'POST', '/_app/files', {
      name: 'note.txt',
      type: 'text/plain',
      size,
      ...more,
    })
  const putBytes = async ({ id, token }: { id: string; token: string }, body: Uint8Array<ArrayBuffer>) =>
    (await (
      await send('visitor', 'PUT', `/_app/files/${id}`, { body, headers: { 'x-files-token': token } })
    ).json()) as AppResponse<Ref>
  const put = (to: { id: string; token: string }, size: number) => putBytes(to, new Uint8Array(size).fill(97))
  const upload = async (who: string, size = 100) => (await put((await open(who, size)).data, size)).data
  const store = async (who: string, bytes: Uint8Array<ArrayBuffer>, type: string) =>
    (await putBytes((await open(who, bytes.length, { type })).data, bytes)).data
  return { cloud, operator, at, url, slug: project.slug, ids, send, json, open, put, upload, store }
}

export type PeopleApp = Awaited<ReturnType<typeof openPeopleApp>>
