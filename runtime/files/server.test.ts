import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, mock, test } from 'node:test'
import { Hold } from '../kernel/objects/hold.ts'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { importInWorkerd } from '../kernel/objects/workerd.test.fixture.ts'
import { MemoryBucket } from '../bytes/bucket.test.fixture.ts'
import { bindFiles, unbindFiles } from './bind.test.fixture.ts'
import { Files } from './object.ts'
import type { FilesCalls } from './types.ts'

const importServer = () => importInWorkerd(() => import('./server.ts'))
const NOW_SECONDS = Date.parse('2026-11-20T10:30:00.000Z') / 1000
const TEXT = { name: 'a.txt', type: 'text/plain' }
const invalid = (field: string, problem: string) => ({
  name: 'ApiError',
  code: 'invalid_request',
  message: `${field}: ${problem}`,
  field,
})
const streamOf = (...chunks: string[]): ReadableStream => new Blob(chunks).stream()

describe('files in the server code of an app', () => {
  let server: Awaited<ReturnType<typeof importServer>>['files']
  let bucket: MemoryBucket
  before(async () => {
    server = (await importServer()).files
  })
  beforeEach(() => {
    mock.timers.enable({ apis: ['Date'], now: NOW_SECONDS * 1000 })
    bucket = new MemoryBucket()
    const storage = memoryStorage()
    const list = new Files(storage, { FILES_MAX_BYTES: '10', FILES_PER_USER_BYTES: '12' }, new Hold(storage))
    const live = {
      files: <Kind extends keyof FilesCalls>(kind: Kind, ask: FilesCalls[Kind]['ask']) =>
        list.answer(kind, ask),
    }
    bindFiles(live, bucket)
  })
  afterEach(() => mock.timers.reset())
  after(unbindFiles)

  const textOf = async (id: string, request?: Request) => (await server.get(id, request))?.text()

  test('server code can store a file from text, bytes, a Blob or a stream, for the app itself or for an owner', async () => {
    const bytes = new TextEncoder().encode('xpearsx')
    for (const body of ['pears', bytes.subarray(1, 6), bytes.buffer.slice(1, 6), new Blob(['pears'])]) {
      const { id, size, ownerId, name } = await server.put(body, TEXT)
      assert.deepEqual([size, ownerId, name, await textOf(id)], [5, null, 'a.txt', 'pears'])
    }
    const owned = await server.put(streamOf('pe', 'ars'), { ...TEXT, owner: 'u_ada', size: 5 })
    assert.deepEqual([owned.ownerId, await textOf(owned.id)], ['u_ada', 'pears'])
    assert.deepEqual(await server.find(owned.id), owned)
  })

  test('a file from a stream needs a declared size, and is not stored when the stream has more or fewer bytes', async () => {
    await assert.rejects(server.put(streamOf('pears'), TEXT), invalid('size', 'must be given for a stream'))
    for (const size of [4, 6])
      await assert.rejects(
        server.put(streamOf('pears'), { ...TEXT, size }),
        invalid('body', `must be the announced ${size} bytes`),
      )
    assert.deepEqual([bucket.texts(), await server.list()], [[], { items: [], nextCursor: null }])
  })

  test('the size of a file that server code stores is measured unless it comes from a stream; a given size is ignored', async () => {
    assert.equal((await server.put('pears', { ...TEXT, size: 1 })).size, 5)
    await assert.rejects(server.put('', TEXT), invalid('size', 'must be a whole number above 0'))
  })

  test("the operator's limits on files also apply to files that server code stores", async () => {
    await assert.rejects(server.put('x'.repeat(11), TEXT), invalid('size', 'must be at most 10 bytes'))
    await server.put('x'.repeat(10), { ...TEXT, owner: 'u_ada' })
    const problem = 'more than the 12 bytes that are allowed in total'
    await assert.rejects(server.put('pears', { ...TEXT, owner: 'u_ada' }), invalid('size', problem))
    await server.put('pears', { ...TEXT, owner: 'u_ben' })
    for (const owner of ['', 'app', 'a b', 'x'.repeat(65)])
      await assert.rejects(server.put('pears', { ...TEXT, owner }), {
        code: 'invalid_request',
        field: 'owner',
      })
  })

  test('server code cannot store a file whose content does not match its media type', async () => {
    await assert.rejects(
      server.put('<html>', { name: 'a.png', type: 'image/png' }),
      invalid('type', 'the file is not image/png'),
    )
    assert.deepEqual(bucket.texts(), [])
  })

  test('a file that the bucket fails to store is not listed', async () => {
    bucket.failure = 'after reading'
    await assert.rejects(server.put('pears', TEXT), { message: 'put: internal error (10001)' })
    assert.deepEqual((await server.list()).items, [])
  })

  test("a file that could not be stored does not count toward its owner's storage limit", async () => {
    const owned = { ...TEXT, owner: 'u_ada' }
    await assert.rejects(server.put(streamOf('pears'), { ...owned, size: 9 }), { code: 'invalid_request' })
    bucket.failure = 'after reading'
    await assert.rejects(server.put('nine four', owned), { message: 'put: internal error (10001)' })
    bucket.failure = null
    assert.equal((await server.put('ten ounces', owned)).size, 10)
  })

  test('server code gets a file, or a byte range of it, as a response, and null when there is no such file', async () => {
    const { id } = await server.put('pears', TEXT)
    const part = await server.get(id, new Request('https://app.test/', { headers: { range: 'bytes=1-2' } }))
    assert.deepEqual([part?.status, await part?.text()], [206, 'ea'])
    assert.equal(part?.headers.get('content-disposition'), "attachment; filename*=UTF-8''a.txt")
    for (const missing of ['', 'x', '../x']) {
      assert.equal(await server.get(missing), null)
      assert.equal(await server.find(missing), null)
    }
  })

  test('a file link of server code lasts an hour by default, and contains the download option or the picture width', async () => {
    const { id } = await server.put('pears', TEXT)
    const [usual, short] = [await server.url(id), await server.url(id, { ttlSeconds: 60, download: true })]
    assert.ok(usual.startsWith(`/_app/files/${id}?exp=${NOW_SECONDS + 3600}&sig=`))
    assert.ok(short.startsWith(`/_app/files/${id}?exp=${NOW_SECONDS + 60}&download=1&sig=`))
    assert.match(await server.imageUrl(id, { width: 256 }), /&sig=[\w-]{43}&width=256$/)
    for (const ttlSeconds of [0, 86_401, 1.5, Number.NaN])
      await assert.rejects(server.url(id, { ttlSeconds }), { code: 'invalid_request', field: 'ttlSeconds' })
  })

  test('server code can list the files of one owner, of the app itself or of everyone page by page', async () => {
    const [own, ada, ben] = [
      await server.put('a', TEXT),
      await server.put('b', { ...TEXT, owner: 'u_ada' }),
      await server.put('c', { ...TEXT, owner: 'u_ben' }),
    ]
    const idsOf = async (query: Parameters<typeof server.list>[0]) =>
      (await server.list(query)).items.map(({ id }) => id).toSorted()
    assert.deepEqual(await idsOf({}), [own.id, ada.id, ben.id].toSorted())
    assert.deepEqual([await idsOf({ owner: null }), await idsOf({ owner: 'u_ben' })], [[own.id], [ben.id]])
    const first = await server.list({ limit: 2 })
    const second = await server.list({ limit: 2, cursor: first.nextCursor ?? '' })
    assert.deepEqual([first.items.length, second.items.length, second.nextCursor], [2, 1, null])
    assert.deepEqual([...first.items, ...second.items].map(({ id }) => id).toSorted(), await idsOf({}))
    await assert.rejects(server.list({ limit: 201 }), { code: 'invalid_request', field: 'limit' })
  })

  test("a file that server code removes is deleted from the bucket and no longer counts toward its owner's limit", async () => {
    const { id } = await server.put('x'.repeat(10), { ...TEXT, owner: 'u_ada' })
    assert.deepEqual([await server.remove(id), await server.remove(id)], [true, false])
    assert.deepEqual([bucket.texts(), await server.find(id)], [[], null])
    await server.put('x'.repeat(10), { ...TEXT, owner: 'u_ada' })
  })

  test('server code can create an upload ticket, and an invalid option is rejected with an error that names it', async () => {
    assert.match(await server.ticket(), /^[\w+/]+\.[\w-]{43}$/)
    await server.ticket({ owner: 'u_ada', maxBytes: 5, types: ['image/*', 'text/plain'], ttlSeconds: 86_400 })
    for (const [options, field] of [
      [{ owner: 'app' }, 'owner'],
      [{ owner: 'a b' }, 'owner'],
      [{ types: ['image'] }, 'types'],
      [{ types: ['image/*', 'x'] }, 'types'],
      [{ ttlSeconds: 0 }, 'ttlSeconds'],
      [{ ttlSeconds: 86_401 }, 'ttlSeconds'],
    ] as const)
      await assert.rejects(server.ticket(options as object), { code: 'invalid_request', field })
  })

  test("an upload ticket's size limit must be a number above 0, because the ticket would have no limit otherwise", async () => {
    for (const maxBytes of [Number.NaN, 0, -1])
      await assert.rejects(server.ticket({ maxBytes }), invalid('maxBytes', 'must be above 0'))
  })
})
