import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type AppTree, starterTree } from '../agent/tree.ts'
import { fileOf, setClock } from '../attachments/testing.ts'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { bucketExists, deleteBucket } from '../cloudflare/r2.ts'
import { openCloud } from '../connections/cloud.ts'
import { type CloudApp, openCloudApp, until } from '../deployments/testing.ts'
import type { Client } from '../testing/app.ts'

/** Routes as an app would have them: it decides who gets a ticket, a link, a list. */
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

interface Ref {
  id: string
  key: string
  name: string
  type: string
  size: number
  ownerId: string | null
  createdAt: string
}
interface Answer<T> {
  ok: boolean
  data: T
  error?: { code: string; message: string }
}

describe('files of a deployed app', () => {
  let cloud: CloudApp
  let person: Client
  let path: string
  let url: string
  before(async () => {
    cloud = await openCloudApp()
    setClock(cloud)
    const made = await cloud.personWithProject('Photos')
    ;({ person, path } = made)
    const on = await person.call(`PUT ${path}/capabilities/files`, {
      enabled: true,
      settings: { maxBytes: 30_000_000, perUserBytes: 40_000_000 },
    })
    assert.equal(on.status, 200, String(on.error?.message))
    await settled()
    const early = await person.call(`GET ${path}/capabilities/files/objects`)
    assert.deepEqual([early.status, early.error?.code], [404, 'not_enabled'], 'on, but not deployed')
    const tree: AppTree = new Map([...starterTree('Photos'), ['server/routes.ts', ROUTES]])
    await cloud.build(made.project.id, tree)
    const shipped = await person.call<{ url: string }>(`POST ${path}/deploy`)
    assert.equal(shipped.status, 200, String(shipped.error?.message))
    url = shipped.data.url
  })
  after(() => cloud.close())
  beforeEach(() => setClock(cloud))

  const settled = () =>
    until(async () => {
      const { data } = await person.call<{ provision: { state: string; error: unknown } }>(
        `GET ${path}/capabilities/files`,
      )
      assert.notEqual(data.provision.state, 'error', JSON.stringify(data.provision.error))
      return data.provision.state === 'idle'
    })
  const app = async (route: string, init: { body?: string; headers?: Record<string, string> } = {}) => {
    const [method = '', at = ''] = route.split(' ')
    return await cloudFetch(url + at, { method, ...init })
  }
  const json = async <T>(route: string, init: Parameters<typeof app>[1] = {}) =>
    (await (await app(route, init)).json()) as T
  const ticketOf = (options: object = {}) =>
    json<string>('POST /api/ticket', { body: JSON.stringify(options) })
  const open = (ticket: string, file: { name?: string; type?: string; size: number }) =>
    json<Answer<{ id: string; token: string; partBytes: number | null }>>('POST /_app/files', {
      body: JSON.stringify({ name: 'a.png', type: 'image/png', ...file }),
      headers: { 'x-files-ticket': ticket },
    })
  const put = async (to: { id: string; token: string }, bytes: Uint8Array<ArrayBuffer>, at = '') => {
    const answer = await cloudFetch(`${url}/_app/files/${to.id}${at}`, {
      method: 'PUT',
      headers: { 'x-files-token': to.token },
      body: bytes,
    })
    return (await answer.json()) as Answer<Ref>
  }
  const upload = async (bytes: Uint8Array<ArrayBuffer>, options: object = {}, type = 'image/png') => {
    const { data, error } = await open(await ticketOf(options), { size: bytes.byteLength, type })
    assert.equal(error, undefined)
    const done = await put(data, bytes)
    assert.equal(done.error, undefined)
    return done.data
  }
  const linkOf = async (id: string, query = '') => await (await app(`GET /api/link/${id}?${query}`)).text()

  test('a file goes up with a ticket and comes down by a link, whole and in part', async () => {
    const bytes = fileOf('image/png', 5000)
    const file = await upload(bytes, { owner: 'u_ann' })
    assert.deepEqual(
      { ...file, id: '', createdAt: '' },
      {
        id: '',
        key: `f/u_ann/${file.id}`,
        name: 'a.png',
        type: 'image/png',
        size: 5000,
        ownerId: 'u_ann',
        createdAt: '',
      },
    )
    const link = await linkOf(file.id)
    const answer = await app(`GET ${link}`)
    const names = ['content-type', 'x-content-type-options', 'content-security-policy', 'content-disposition']
    assert.deepEqual(
      [Buffer.from(await answer.arrayBuffer()), ...names.map((name) => answer.headers.get(name))],
      [bytes, 'image/png', 'nosniff', "sandbox; default-src 'none'", "inline; filename*=UTF-8''a.png"],
    )
    const part = await app(`GET ${link}`, { headers: { range: 'bytes=1-3' } })
    assert.deepEqual([part.status, await part.text()], [206, 'PNG'])
    const down = await app(`GET ${await linkOf(file.id, 'download=1')}`)
    assert.match(down.headers.get('content-disposition') ?? '', /^attachment/)
    await down.body?.cancel()
  })

  test('nobody uploads without a ticket, with a forged, spent or expired one, or past what it allows', async () => {
    const refused = async (ticket: string | null, file: Parameters<typeof open>[1]) => {
      const { error } =
        ticket === null
          ? await json<Answer<null>>('POST /_app/files', { body: JSON.stringify(file) })
          : await open(ticket, file)
      return error?.message ?? 'taken'
    }
    assert.match(await refused(null, { size: 10 }), /needs a ticket/)
    const [payload = '', signature = ''] = (await ticketOf()).split('.')
    const other = Buffer.from(payload, 'base64').toString().replace('visitors', 'u_admin12')
    const forged = `${Buffer.from(other).toString('base64').replaceAll('=', '')}.${signature}`
    for (const ticket of ['', '.', 'x', payload, `${payload}.`, `${payload}.${'A'.repeat(43)}`, forged])
      assert.match(await refused(ticket, { size: 10 }), /ticket/, ticket)
    const once = await ticketOf()
    assert.equal(await refused(once, { size: 10 }), 'taken')
    assert.match(await refused(once, { size: 10 }), /used already/)
    const short = await ticketOf({ ttlSeconds: 1 })
    await until(async () => (await refused(short, { size: 10 })) !== 'taken' || false)
    assert.match(
      await refused(await ticketOf({ maxBytes: 9 }), { size: 10 }),
      /^size: must be at most 9 bytes/,
    )
    assert.match(
      await refused(await ticketOf({ types: ['image/*'] }), { size: 1, type: 'text/plain' }),
      /^type: /,
    )
    assert.match(await refused(await ticketOf(), { size: 30_000_001 }), /^size: must be at most 30000000/)
    for (const [file, field] of [
      [{ size: 0 }, 'size'],
      [{ size: 1.5 }, 'size'],
      [{ size: 1, name: '' }, 'name'],
      [{ size: 1, name: '../x' }, 'name'],
      [{ size: 1, name: 'é'.repeat(101) }, 'name'],
      [{ size: 1, type: 'html' }, 'type'],
    ] as const)
      assert.match(await refused(await ticketOf(), file), new RegExp(`^${field}: `), JSON.stringify(file))
  })

  test('bytes must be as many as announced and begin as their type does', async () => {
    const png = fileOf('image/png', 1000)
    for (const [bytes, said] of [
      [fileOf('image/png', 999), /^body: must be the announced 1000 bytes/],
      [fileOf('image/png', 1001), /^body: must be the announced 1000 bytes/],
      [Buffer.alloc(1000, '<script>alert(1)</script>'), /^type: the file is not image\/png/],
      [fileOf('image/jpeg', 1000), /^type: the file is not image\/png/],
    ] as const) {
      const { data } = await open(await ticketOf(), { size: 1000 })
      assert.match((await put(data, bytes)).error?.message ?? '', said)
      // What was refused did not use it up.
      assert.equal((await put(data, png)).error, undefined)
      assert.equal((await put(data, png)).error?.code, 'not_found', 'and then it is over')
    }
    const { data } = await open(await ticketOf(), { size: 1000 })
    assert.equal((await put({ ...data, token: 'A'.repeat(43) }, png)).error?.code, 'not_found')
    assert.equal((await put({ ...data, id: '0'.repeat(26) }, png)).error?.code, 'not_found')
  })

  test('a large one comes in parts, each as large as it must be, in any order and repeated', async () => {
    const part = 16 * 1024 * 1024
    const bytes = fileOf('image/png', part + 10)
    const { data } = await open(await ticketOf(), { size: bytes.byteLength })
    const complete = async () =>
      await json<Answer<Ref>>(`POST /_app/files/${data.id}/complete`, {
        headers: { 'x-files-token': data.token },
      })
    const [first, last] = [Buffer.from(bytes.subarray(0, part)), Buffer.from(bytes.subarray(part))]
    assert.match((await complete()).error?.message ?? '', /^parts: are not all there yet/)
    for (const [at, sent, said] of [
      ['/parts/0', last, /^part: must be a whole number from 1 to 2/],
      ['/parts/3', last, /^part: must be/],
      ['/parts/2', Buffer.alloc(9), /^body: must be the announced 10 bytes/],
      ['/parts/1', Buffer.alloc(part), /^type: the file is not image\/png/],
    ] as const)
      assert.match((await put(data, sent, at)).error?.message ?? '', said)
    for (const [at, sent] of [
      ['/parts/2', last],
      ['/parts/1', first],
      ['/parts/2', last],
    ] as const)
      assert.equal((await put(data, sent, at)).error, undefined)
    const done = await complete()
    assert.deepEqual([done.data.size, done.error], [bytes.byteLength, undefined])
    assert.equal((await complete()).error?.code, 'not_found')
    const answer = await app(`GET ${await linkOf(done.data.id)}`)
    assert.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes))
    await json(`DELETE /api/${done.data.id}`)
  })

  test('what could act as a page is a download of bytes, whatever it was called', async () => {
    for (const [type, text] of [
      ['text/html', '<script>alert(1)</script>'],
      ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
      ['text/javascript', 'alert(1)'],
      ['application/xhtml+xml', '<html xmlns="http://www.w3.org/1999/xhtml"><script>1</script></html>'],
    ] as const) {
      const file = await upload(Buffer.from(text), {}, type)
      const answer = await app(`GET ${await linkOf(file.id)}`)
      assert.deepEqual(
        [answer.headers.get('content-type'), answer.headers.get('content-disposition')?.split(';')[0]],
        ['application/octet-stream', 'attachment'],
        type,
      )
      await answer.body?.cancel()
    }
  })

  test('a link is good for its file, its time and as it was made', async () => {
    const [one, two] = [await upload(fileOf('image/png', 100)), await upload(fileOf('image/png', 100))]
    const link = await linkOf(one.id)
    const status = async (at: string) => {
      const answer = await app(`GET ${at}`)
      await answer.body?.cancel()
      return answer.status
    }
    assert.equal(await status(link), 200)
    const exp = Number(/exp=(\d+)/.exec(link)?.[1])
    for (const bad of [
      `/_app/files/${one.id}`,
      link.replace(one.id, two.id),
      link.replace(`exp=${exp}`, `exp=${exp + 1}`),
      `${link}&download=1`,
      link.replace(/sig=.*/, 'sig='),
      link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')).replace(/sig=./, 'sig=_'),
      `/_app/files/..%2f${one.id}`,
      '/_app/files/%2e%2e%2ff%2fapp',
    ])
      assert.equal(await status(bad), 404, bad)
    const short = await linkOf(one.id, 'ttl=1')
    await until(async () => (await status(short)) === 404)
    assert.equal((await app(`GET /api/link/${one.id}?ttl=86401`)).status, 400)
  })

  test('the app stores, reads, lists and removes its own files and those of people', async () => {
    const store = (query: string) => json<Ref>(`POST /api/put?${query}`, { body: 'hello' })
    const own = await store('name=own.txt')
    assert.deepEqual([own.ownerId, own.key], [null, `f/app/${own.id}`])
    const his = [await store('owner=u_bob'), await store('owner=u_bob'), await store('owner=u_bob')]
    const first = await json<{ items: Ref[]; nextCursor: string | null }>('GET /api/list?owner=u_bob&limit=2')
    const rest = await json<{ items: Ref[]; nextCursor: string | null }>(
      `GET /api/list?owner=u_bob&limit=2&cursor=${encodeURIComponent(first.nextCursor ?? '')}`,
    )
    assert.deepEqual(
      [...first.items, ...rest.items].map(({ id }) => id).toSorted(),
      his.map(({ id }) => id).toSorted(),
    )
    assert.deepEqual([first.items.length, rest.nextCursor], [2, null])
    assert.equal((await app('GET /api/list?cursor=x')).status, 400)
    assert.equal(await (await app(`GET /api/get/${own.id}`)).text(), 'hello')
    assert.equal(await json<boolean>(`DELETE /api/${own.id}`), true)
    assert.equal(await json<boolean>(`DELETE /api/${own.id}`), false)
    assert.equal((await app(`GET /api/get/${own.id}`)).status, 404)
    const bad = await app('POST /api/put?owner=app', { body: 'x' })
    assert.equal(bad.status, 400)
  })

  test('nobody has more than the allowance, also not by two uploads at once; what is removed is free again', async () => {
    const ticket = () => ticketOf({ owner: 'u_big' })
    const size = 15_000_000
    const all = await Promise.all(
      [await ticket(), await ticket(), await ticket(), await ticket()].map((one) => open(one, { size })),
    )
    const opened = all.filter(({ ok }) => ok)
    assert.equal(opened.length, 2)
    assert.match(all.find(({ ok }) => !ok)?.error?.message ?? '', /^size: more than the 40000000 bytes/)
    const bytes = fileOf('image/png', size)
    const files = await Promise.all(opened.map(({ data }) => put(data, bytes)))
    assert.deepEqual(
      files.map(({ error }) => error),
      [undefined, undefined],
    )
    assert.equal((await open(await ticket(), { size })).ok, false)
    await json(`DELETE /api/${files[0]?.data.id}`)
    assert.equal((await open(await ticket(), { size })).ok, true)
  })

  test('the operator sees what is stored, page by page, and reads it inert', async () => {
    type Page = { items: { key: string; name: string; ownerId: string | null }[]; nextCursor: string | null }
    const list = (query: string) => person.call<Page>(`GET ${path}/capabilities/files/objects?${query}`)
    const whole = await list('limit=1000')
    assert.equal(whole.status, 200, String(whole.error?.message))
    assert.ok(whole.data.items.length > 5 && whole.data.nextCursor === null)
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = (await list(`limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)).data
      seen.push(...page.items.map(({ key }) => key))
      cursor = page.nextCursor
    }
    assert.deepEqual(
      seen,
      whole.data.items.map(({ key }) => key),
    )
    const html = whole.data.items.find(({ key }) => key.includes('visitors'))
    const read = (key: string, headers: Record<string, string> = {}) =>
      person.raw(`GET ${path}/capabilities/files/object?key=${encodeURIComponent(key)}`, { headers })
    const answer = await read(html?.key ?? '', { range: 'bytes=0-3' })
    assert.deepEqual(
      [
        answer.status,
        answer.headers.get('x-content-type-options'),
        answer.headers.get('content-security-policy'),
      ],
      [206, 'nosniff', "sandbox; default-src 'none'"],
    )
    await answer.body?.cancel()
    for (const key of ['x', 'pv/f/app/x', '../f/app/x', 'f/../f', 'f/app/none'])
      assert.equal((await read(key)).status, 404, key)
    assert.equal((await read('k'.repeat(1025))).status, 400)
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'cursor=x'])
      assert.match((await list(query)).error?.message ?? '', new RegExp(`^${query.split('=')[0]}: `), query)
    const stranger = await cloud.app.signUp()
    const foreign = await stranger.call(`GET ${path}/capabilities/files/objects`)
    assert.deepEqual([foreign.status, foreign.error?.code], [404, 'not_found'])
  })

  test('switched off nothing goes in or out, and nothing is lost', async () => {
    const file = await upload(fileOf('image/png', 100))
    const link = await linkOf(file.id)
    await person.call(`PUT ${path}/capabilities/files`, { enabled: false })
    await until(async () => (await app(`GET ${link}`)).status === 404)
    const ticket = await app('POST /api/ticket', { body: '{}' })
    assert.equal(((await ticket.json()) as Answer<null>).error?.code, 'not_enabled')
    const off = await person.call(`GET ${path}/capabilities/files/objects`)
    assert.equal(off.error?.code, 'not_enabled')
    await person.call(`PUT ${path}/capabilities/files`, { enabled: true })
    await settled()
    assert.equal((await person.call(`POST ${path}/deploy`)).status, 200)
    const again = await app(`GET ${link}`)
    assert.equal(again.status, 200)
    await again.body?.cancel()
  })

  test('a bucket that was removed behind our back is made again, empty, and goes with the project', async () => {
    const { app: service } = cloud
    const account = await openCloud(service.platform, { orgId: person.organizationId, actor: 'test' })
    const lost = await upload(fileOf('image/png', 100))
    const bucket = /^(.+)-files$/
    const names = async () =>
      (
        await person.call<{ managed: { kind: string; name: string; status: string }[] }>(
          `GET ${path}/deployments`,
        )
      ).data.managed
    const { name = '' } = (await names()).find((one) => bucket.test(one.name)) ?? {}
    await deleteBucket(account, name)
    const mended = await person.call<{ repaired: { name: string }[]; failed: object[] }>(
      `POST ${path}/reconcile`,
    )
    assert.equal(mended.status, 200, String(mended.error?.message))
    assert.ok(
      mended.data.repaired.some((one) => one.name === name),
      JSON.stringify(mended.data),
    )
    assert.equal((await app(`GET ${await linkOf(lost.id)}`)).status, 404)
    const again = await upload(fileOf('image/png', 200))
    assert.equal((await app(`GET ${await linkOf(again.id)}`)).status, 200)
    const gone = await person.call<{ teardown: { remaining: number; failed: object[] } }>(`DELETE ${path}`)
    assert.deepEqual([gone.data.teardown.remaining, gone.data.teardown.failed], [0, []])
    assert.equal(await bucketExists(account, name), false)
  })
})
