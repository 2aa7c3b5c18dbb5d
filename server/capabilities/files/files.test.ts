import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { fileOf, setClock } from '../../attachments/testing.ts'
import { until } from '../../releases/testing.ts'
import { type AppResponse, type FilesApp, openFilesApp, type Ref } from './testing.ts'

describe('uploads to and downloads from a deployed app', () => {
  let world: FilesApp
  before(async () => {
    world = await openFilesApp()
  })
  after(() => world.cloud.close())
  beforeEach(() => setClock(world.cloud))

  test('a file is uploaded with an upload ticket and downloaded by a link, as a whole or a range', async () => {
    const bytes = fileOf('image/png', 5000)
    const file = await world.upload(bytes, { owner: 'u_ann' })
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
    const link = await world.linkOf(file.id)
    const answer = await world.app(`GET ${link}`)
    const names = ['content-type', 'x-content-type-options', 'content-security-policy', 'content-disposition']
    assert.deepEqual(
      [Buffer.from(await answer.arrayBuffer()), ...names.map((name) => answer.headers.get(name))],
      [bytes, 'image/png', 'nosniff', "sandbox; default-src 'none'", "inline; filename*=UTF-8''a.png"],
    )
    const part = await world.app(`GET ${link}`, { headers: { range: 'bytes=1-3' } })
    assert.deepEqual([part.status, await part.text()], [206, 'PNG'])
    const down = await world.app(`GET ${await world.linkOf(file.id, 'download=1')}`)
    assert.match(down.headers.get('content-disposition') ?? '', /^attachment/)
    await down.body?.cancel()
  })

  test("a file upload is refused without a valid, unused upload ticket, and when it exceeds the ticket's limits", async () => {
    const refused = async (ticket: string | null, file: Parameters<typeof world.open>[1]) => {
      const { error } =
        ticket === null
          ? await world.json<AppResponse<null>>('POST /_app/files', { body: JSON.stringify(file) })
          : await world.open(ticket, file)
      return error?.message ?? 'taken'
    }
    assert.match(await refused(null, { size: 10 }), /needs a ticket/)
    const [payload = '', signature = ''] = (await world.ticketOf()).split('.')
    const other = Buffer.from(payload, 'base64').toString().replace('visitors', 'u_admin12')
    const forged = `${Buffer.from(other).toString('base64').replaceAll('=', '')}.${signature}`
    for (const ticket of ['', '.', 'x', payload, `${payload}.`, `${payload}.${'A'.repeat(43)}`, forged])
      assert.match(await refused(ticket, { size: 10 }), /ticket/, ticket)
    const once = await world.ticketOf()
    assert.equal(await refused(once, { size: 10 }), 'taken')
    assert.match(await refused(once, { size: 10 }), /already used/)
    const short = await world.ticketOf({ ttlSeconds: 1 })
    await until(async () => (await refused(short, { size: 10 })) !== 'taken' || false)
    assert.match(
      await refused(await world.ticketOf({ maxBytes: 9 }), { size: 10 }),
      /^size: must be at most 9 bytes/,
    )
    assert.match(
      await refused(await world.ticketOf({ types: ['image/*'] }), { size: 1, type: 'text/plain' }),
      /^type: /,
    )
    assert.match(
      await refused(await world.ticketOf(), { size: 30_000_001 }),
      /^size: must be at most 30000000/,
    )
    for (const [file, field] of [
      [{ size: 0 }, 'size'],
      [{ size: 1.5 }, 'size'],
      [{ size: 1, name: '' }, 'name'],
      [{ size: 1, name: '../x' }, 'name'],
      [{ size: 1, name: 'é'.repeat(101) }, 'name'],
      [{ size: 1, type: 'html' }, 'type'],
    ] as const)
      assert.match(
        await refused(await world.ticketOf(), file),
        new RegExp(`^${field}: `),
        JSON.stringify(file),
      )
  })

  test('a file upload is refused when its size or first bytes do not match the announced size or type', async () => {
    const png = fileOf('image/png', 1000)
    for (const [bytes, said] of [
      [fileOf('image/png', 999), /^body: must be the announced 1000 bytes/],
      [fileOf('image/png', 1001), /^body: must be the announced 1000 bytes/],
      [Buffer.alloc(1000, '<script>alert(1)</script>'), /^type: the file is not image\/png/],
      [fileOf('image/jpeg', 1000), /^type: the file is not image\/png/],
    ] as const) {
      const { data } = await world.open(await world.ticketOf(), { size: 1000 })
      assert.match((await world.put(data, bytes)).error?.message ?? '', said)
      // A refused upload stays open, and an accepted upload is closed.
      assert.equal((await world.put(data, png)).error, undefined)
      assert.equal((await world.put(data, png)).error?.code, 'not_found', 'and then it is over')
    }
    const { data } = await world.open(await world.ticketOf(), { size: 1000 })
    assert.equal((await world.put({ ...data, token: 'A'.repeat(43) }, png)).error?.code, 'not_found')
    assert.equal((await world.put({ ...data, id: '0'.repeat(26) }, png)).error?.code, 'not_found')
  })

  test('a large file can be uploaded in parts of the required size, in any order and repeatedly', async () => {
    const part = 16 * 1024 * 1024
    const bytes = fileOf('image/png', part + 10)
    const { data } = await world.open(await world.ticketOf(), { size: bytes.byteLength })
    const complete = async () =>
      await world.json<AppResponse<Ref>>(`POST /_app/files/${data.id}/complete`, {
        headers: { 'x-files-token': data.token },
      })
    const [first, last] = [Buffer.from(bytes.subarray(0, part)), Buffer.from(bytes.subarray(part))]
    assert.match((await complete()).error?.message ?? '', /^parts: are not all uploaded yet/)
    for (const [at, sent, said] of [
      ['/parts/0', last, /^part: must be a whole number from 1 to 2/],
      ['/parts/3', last, /^part: must be/],
      ['/parts/2', Buffer.alloc(9), /^body: must be the announced 10 bytes/],
      ['/parts/1', Buffer.alloc(part), /^type: the file is not image\/png/],
    ] as const)
      assert.match((await world.put(data, sent, at)).error?.message ?? '', said)
    for (const [at, sent] of [
      ['/parts/2', last],
      ['/parts/1', first],
      ['/parts/2', last],
    ] as const)
      assert.equal((await world.put(data, sent, at)).error, undefined)
    const done = await complete()
    assert.deepEqual([done.data.size, done.error], [bytes.byteLength, undefined])
    assert.equal((await complete()).error?.code, 'not_found')
    const answer = await world.app(`GET ${await world.linkOf(done.data.id)}`)
    assert.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes))
    await world.json(`DELETE /api/${done.data.id}`)
  })

  test('files of types that can run scripts (HTML, SVG, JavaScript) are served as downloads of type application/octet-stream', async () => {
    for (const [type, text] of [
      ['text/html', '<script>alert(1)</script>'],
      ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
      ['text/javascript', 'alert(1)'],
      ['application/xhtml+xml', '<html xmlns="http://www.w3.org/1999/xhtml"><script>1</script></html>'],
    ] as const) {
      const file = await world.upload(Buffer.from(text), {}, type)
      const answer = await world.app(`GET ${await world.linkOf(file.id)}`)
      assert.deepEqual(
        [answer.headers.get('content-type'), answer.headers.get('content-disposition')?.split(';')[0]],
        ['application/octet-stream', 'attachment'],
        type,
      )
      await answer.body?.cancel()
    }
  })

  test('a link to a file is a 404 when it is changed, expired or used for another file', async () => {
    const [one, two] = [
      await world.upload(fileOf('image/png', 100)),
      await world.upload(fileOf('image/png', 100)),
    ]
    const link = await world.linkOf(one.id)
    const status = async (at: string) => {
      const answer = await world.app(`GET ${at}`)
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
    const short = await world.linkOf(one.id, 'ttl=1')
    await until(async () => (await status(short)) === 404)
    assert.equal((await world.app(`GET /api/link/${one.id}?ttl=86401`)).status, 400)
  })

  test('server code can store, read, list and remove files of the app and of people', async () => {
    const store = (query: string) => world.json<Ref>(`POST /api/put?${query}`, { body: 'hello' })
    const own = await store('name=own.txt')
    assert.deepEqual([own.ownerId, own.key], [null, `f/app/${own.id}`])
    const his = [await store('owner=u_bob'), await store('owner=u_bob'), await store('owner=u_bob')]
    const first = await world.json<{ items: Ref[]; nextCursor: string | null }>(
      'GET /api/list?owner=u_bob&limit=2',
    )
    const rest = await world.json<{ items: Ref[]; nextCursor: string | null }>(
      `GET /api/list?owner=u_bob&limit=2&cursor=${encodeURIComponent(first.nextCursor ?? '')}`,
    )
    assert.deepEqual(
      [...first.items, ...rest.items].map(({ id }) => id).toSorted(),
      his.map(({ id }) => id).toSorted(),
    )
    assert.deepEqual([first.items.length, rest.nextCursor], [2, null])
    assert.equal((await world.app('GET /api/list?cursor=x')).status, 400)
    assert.equal(await (await world.app(`GET /api/get/${own.id}`)).text(), 'hello')
    assert.equal(await world.json<boolean>(`DELETE /api/${own.id}`), true)
    assert.equal(await world.json<boolean>(`DELETE /api/${own.id}`), false)
    assert.equal((await world.app(`GET /api/get/${own.id}`)).status, 404)
    const bad = await world.app('POST /api/put?owner=app', { body: 'x' })
    assert.equal(bad.status, 400)
  })

  test("simultaneous uploads cannot exceed a person's storage limit, and removing a file frees its size", async () => {
    const ticket = () => world.ticketOf({ owner: 'u_big' })
    const size = 15_000_000
    const all = await Promise.all(
      [await ticket(), await ticket(), await ticket(), await ticket()].map((one) =>
        world.open(one, { size }),
      ),
    )
    const opened = all.filter(({ ok }) => ok)
    assert.equal(opened.length, 2)
    assert.match(all.find(({ ok }) => !ok)?.error?.message ?? '', /^size: more than the 40000000 bytes/)
    const bytes = fileOf('image/png', size)
    const files = await Promise.all(opened.map(({ data }) => world.put(data, bytes)))
    assert.deepEqual(
      files.map(({ error }) => error),
      [undefined, undefined],
    )
    assert.equal((await world.open(await ticket(), { size })).ok, false)
    await world.json(`DELETE /api/${files[0]?.data.id}`)
    assert.equal((await world.open(await ticket(), { size })).ok, true)
  })
})
