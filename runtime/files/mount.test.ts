import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { Hono } from 'hono'
import {
  importObjects,
  type ObjectModules,
  ObjectWorld,
  userId,
} from '../data/partition/objects.test.fixture.ts'
import { importInWorkerd } from '../kernel/objects/workerd.test.fixture.ts'
import { manifest, manifestHash } from '../manifest.gen.ts'
import { MemoryBucket } from '../bytes/bucket.test.fixture.ts'
import { bindFiles, unbindFiles } from './bind.test.fixture.ts'
import type { FileRef } from './types.ts'

const [ADA, BEN] = [userId('a'), userId('b')]
const ORIGIN = 'https://app.example.test'
const MIB = 1024 * 1024
const error = (code: string, message: string, field?: string) => ({
  code,
  message,
  ...(field !== undefined && { field }),
})
const NO_FILE = error('not_found', 'There is no such file.')
const NO_UPLOAD = error('not_found', 'No such upload.')
const BAD_LINK = error('not_found', 'There is no such file, or the link has expired.')
const NOT_SIGNED_IN = error('unauthorized', 'Sign in first.')
const importMount = () =>
  importInWorkerd(() => Promise.all([import('./mount.ts'), import('../kernel/worker/envelope.ts')]))

describe('the routes of files', () => {
  let modules: ObjectModules
  let mount: Awaited<ReturnType<typeof importMount>>[0]['mount']
  let routes: Hono
  let world: ObjectWorld
  let bucket: MemoryBucket
  let ada: string
  let ben: string
  before(async () => {
    modules = await importObjects()
    const [files, { errorResponse }] = await importMount()
    mount = files.mount
    routes = new Hono()
      .route('/_app/files', mount.routes)
      .onError((thrown, c) => errorResponse(thrown, c.req.path))
    manifest.collections['plants'] = {
      title: 'Plants',
      partition: 'app',
      read: 'members',
      write: 'members',
      fields: { photo: { type: 'file' }, name: { type: 'text' } },
    }
  })
  beforeEach(async () => {
    ObjectWorld.install()
    world = new ObjectWorld(modules, {
      FILES_MAX_BYTES: String(200 * MIB),
      FILES_PER_USER_BYTES: String(300 * MIB),
    })
    bucket = new MemoryBucket()
    bindFiles(world.tier(), bucket)
    await world.release(manifestHash, manifest)
    ada = await world.person(ADA)
    ben = await world.person(BEN)
  })
  after(() => {
    ObjectWorld.uninstall()
    unbindFiles()
    delete manifest.collections['plants']
  })

  interface Given {
    session?: string | null
    headers?: Record<string, string>
    body?: string | null
  }
  /** Sends a request, by default of Ada. */
  async function ask(line: string, { session = ada, headers = {}, body }: Given = {}) {
    const [method = '', path = ''] = line.split(' ')
    const cookie = session === null ? {} : { cookie: `__Host-app_session=${session}` }
    const init = { method, headers: { ...cookie, ...headers }, ...(body !== undefined && { body }) }
    const answer = await world.run(Promise.resolve(routes.request(ORIGIN + path, init)))
    const text = await world.run(answer.text())
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
    const json = (isJson ? JSON.parse(text) : {}) as { data?: unknown; error?: object }
    return { status: answer.status, headers: answer.headers, text, ...json }
  }
  const announce = (given: object, as: Given = {}) =>
    ask('POST /_app/files', { ...as, body: JSON.stringify({ name: 'a.txt', type: 'text/plain', ...given }) })
  async function open(size: number, as: Given = {}) {
    const { data, error: refused } = await announce({ size }, as)
    assert.equal(refused, undefined)
    return data as { id: string; token: string; partBytes: number | null }
  }
  const put = (id: string, token: string, body: string | null, path = '') =>
    ask(`PUT /_app/files/${id}${path}`, { session: null, headers: { 'x-files-token': token }, body })
  async function upload(text: string, as: Given = {}): Promise<FileRef> {
    const { id, token } = await open(text.length, as)
    const { data, error: refused } = await put(id, token, text)
    assert.equal(refused, undefined)
    return data as FileRef
  }
  const linkTo = async (id: string, query = '') =>
    ((await ask(`GET /_app/files/${id}/url${query}`)).data as { url: string }).url

  describe('uploading', () => {
    test('a visitor without an upload ticket cannot upload a file, and a forged upload ticket is refused', async () => {
      const needed = await announce({ size: 5 }, { session: null })
      assert.deepEqual([needed.status, needed.error], [401, NOT_SIGNED_IN])
      const headers = { 'x-files-ticket': 'made.up' }
      const made = await announce({ size: 5 }, { session: null, headers })
      const message = 'The ticket is invalid or has expired.'
      assert.deepEqual([made.status, made.error], [403, error('forbidden', message)])
    })

    test('a file of up to 95 MiB is sent in one request, and a larger file in parts', async () => {
      assert.equal((await open(95 * MIB)).partBytes, null)
      const { id, token, partBytes } = await open(95 * MIB + 1)
      assert.equal(partBytes, 16 * MIB)
      const whole = await put(id, token, 'x')
      const problem = error('invalid_request', 'body: a file of this size must be sent in parts', 'body')
      assert.deepEqual([whole.status, whole.error], [400, problem])
    })

    test('the bytes of a file are refused without the token of their upload, or with the token of another upload', async () => {
      const [one, two] = [await open(5), await open(5)]
      for (const token of ['', 'x', two.token]) {
        const answer = await put(one.id, token, 'pears')
        assert.deepEqual([answer.status, answer.error], [404, NO_UPLOAD])
      }
      assert.deepEqual((await ask(`PUT /_app/files/${one.id}`, { body: 'pears' })).error, NO_UPLOAD)
      assert.deepEqual([...bucket.objects.keys()], [])
      assert.equal((await put(one.id, one.token, 'pears')).status, 200)
      assert.deepEqual((await put(one.id, one.token, 'plums')).error, NO_UPLOAD)
    })

    test('canceling a file upload removes its parts, frees its share of the storage limit, and prevents continuing it', async () => {
      const { id, token } = await open(200 * MIB)
      assert.equal((await put(id, token, 'x'.repeat(16 * MIB), '/parts/1')).status, 200)
      assert.equal((await announce({ size: 200 * MIB })).status, 400)
      const cancel = (given: string) =>
        ask(`DELETE /_app/files/${id}`, { session: null, headers: { 'x-files-token': given } })
      assert.deepEqual((await cancel('made up')).error, NO_UPLOAD)
      assert.deepEqual((await cancel(token)).data, { id })
      assert.equal(bucket.uploads.get('upload-1')?.state, 'aborted')
      assert.deepEqual((await put(id, token, null, '/parts/2')).error, NO_UPLOAD)
      assert.deepEqual((await cancel(token)).error, NO_UPLOAD)
      await open(200 * MIB)
    })

    test('the token of an upload cannot delete the file once the file is stored', async () => {
      const { id, token } = await open(5)
      await put(id, token, 'pears')
      const answer = await ask(`DELETE /_app/files/${id}`, { headers: { 'x-files-token': token } })
      assert.deepEqual([answer.error, bucket.texts()], [NO_UPLOAD, ['pears']])
    })

    test('an upload request without a body is refused, and the upload can be continued', async () => {
      const { id, token } = await open(5)
      const missing = error('invalid_request', 'body: is missing', 'body')
      assert.deepEqual((await put(id, token, null)).error, missing)
      assert.deepEqual((await put(id, token, null, '/parts/1')).error, missing)
      assert.equal((await put(id, token, 'pears')).status, 200)
    })

    test('a part of a multipart upload with an invalid number is refused', async () => {
      const { id, token } = await open(96 * MIB)
      for (const number of ['0', '7', '1.5', 'x', '-1', '%20'])
        assert.deepEqual(
          (await put(id, token, 'x', `/parts/${number}`)).error,
          error('invalid_request', 'part: must be a whole number from 1 to 6', 'part'),
        )
      const headers = { 'x-files-token': token }
      const early = await ask(`POST /_app/files/${id}/complete`, { session: null, headers })
      assert.deepEqual(early.error, error('invalid_request', 'parts: are not all uploaded yet', 'parts'))
    })

    test('a file upload announced with invalid data is rejected with an error that names the field', async () => {
      for (const [given, field] of [
        [{}, 'size'],
        [{ size: 0 }, 'size'],
        [{ size: '5' }, 'size'],
        [{ size: 200 * MIB + 1 }, 'size'],
        [{ size: 5, name: '' }, 'name'],
        [{ size: 5, name: 'a/b' }, 'name'],
        [{ size: 5, name: null }, 'name'],
        [{ size: 5, type: 'text' }, 'type'],
        [{ size: 5, type: ['text/plain'] }, 'type'],
      ] as const) {
        const { status, error: refused } = await announce(given)
        assert.deepEqual([status, (refused as { field: string }).field], [400, field])
      }
      assert.equal((await ask('POST /_app/files', { body: 'null' })).status, 400)
    })

    test('only the bodies of file uploads are streamed, and every other body has the usual size limit', () => {
      const isStream = (method: string, path: string) => mount.isStream?.(method, path)
      for (const path of ['/_app/files/abc', '/_app/files/abc/parts/1'])
        assert.equal(isStream('PUT', path), true)
      for (const [method, path] of [
        ['POST', '/_app/files/abc'],
        ['PUT', '/_app/files/'],
        ['PUT', '/_app/files'],
        ['PUT', '/_app/files/abc/parts/x'],
        ['PUT', '/_app/files/abc/parts/1/x'],
        ['PUT', '/_app/files/abc/complete'],
        ['PUT', '/x/_app/files/abc'],
      ] as const)
        assert.equal(isStream(method, path), false, path)
    })
  })

  describe('reading', () => {
    test('only the owner and staff can read a file without a signed link, and the response is not cached', async () => {
      const { id } = await upload('pears')
      const own = await ask(`GET /_app/files/${id}`)
      assert.deepEqual(
        [own.status, own.text, own.headers.get('cache-control')],
        [200, 'pears', 'private, no-store'],
      )
      assert.equal(own.headers.get('content-disposition'), "attachment; filename*=UTF-8''a.txt")
      const staff = await world.person(userId('s'), { role: 'staff' })
      assert.equal((await ask(`GET /_app/files/${id}`, { session: staff })).text, 'pears')
      assert.deepEqual((await ask(`GET /_app/files/${id}`, { session: ben })).error, NO_FILE)
      assert.deepEqual((await ask(`GET /_app/files/${id}`, { session: null })).error, BAD_LINK)
    })

    test('a signed file link works without a session until it expires, and only for its file', async () => {
      const { id } = await upload('pears')
      const other = await upload('plums')
      const url = await linkTo(id, '?seconds=60')
      assert.match(url, new RegExp(`^/_app/files/${id}\\?exp=\\d+&sig=[\\w-]{43}$`))
      const at = (address: string) => ask(`GET ${address}`, { session: null })
      assert.equal((await at(url)).text, 'pears')
      for (const bad of [
        url.replace(id, other.id),
        url.replace('exp=', 'exp=1'),
        url.replace('&sig=', '&download=1&sig='),
        url.slice(0, -1),
        url.replace(/exp=\d+&/, ''),
        `/_app/files/${id}?sig=`,
      ])
        assert.deepEqual((await at(bad)).error, BAD_LINK, bad)
      mock.timers.tick(61_000)
      assert.deepEqual((await at(url)).error, BAD_LINK)
    })

    test('a signed file link lasts 1 to 86,400 whole seconds, and has a parameter when it is for a download', async () => {
      const { id } = await upload('pears')
      assert.match(await linkTo(id, '?download'), /exp=\d+&download=1&sig=/)
      assert.match(await linkTo(id, '?seconds=86400'), /exp=/)
      for (const seconds of ['0', '86401', '1.5', 'x', ''])
        assert.deepEqual(
          (await ask(`GET /_app/files/${id}/url?seconds=${seconds}`)).error,
          error('invalid_request', 'ttlSeconds: must be a whole number from 1 to 86400', 'ttlSeconds'),
        )
      assert.deepEqual((await ask(`GET /_app/files/${id}/url`, { session: ben })).error, NO_FILE)
    })

    test('a person can list only their own files, and an invalid query parameter is rejected with an error that names it', async () => {
      const { id } = await upload('pears')
      await upload('plums', { session: ben })
      const { data } = await ask('GET /_app/files')
      assert.deepEqual(
        (data as { items: FileRef[] }).items.map((one) => one.id),
        [id],
      )
      for (const [query, field] of [
        ['limit=0', 'limit'],
        ['limit=201', 'limit'],
        ['limit=', 'limit'],
        ['limit=5&limit=6', 'limit'],
        ['cursor=x', 'cursor'],
      ] as const)
        assert.equal(((await ask(`GET /_app/files?${query}`)).error as { field: string }).field, field)
      for (const query of [`owner=${BEN}`, 'everyone'])
        assert.deepEqual(
          (await ask(`GET /_app/files?${query}`)).error,
          error('not_found', 'There is no such user.'),
        )
      assert.deepEqual((await ask('GET /_app/files', { session: null })).error, NOT_SIGNED_IN)
    })

    test('the file of a record is served to people who may read the record', async () => {
      const { id: photo } = await upload('pears')
      const stored = await world.run(
        world.tier().data(
          manifestHash,
          { session: ada },
          {
            kind: 'write',
            ops: [{ op: 'create', collection: 'plants', fields: { photo, name: photo } }],
          },
        ),
      )
      const [{ id } = { id: '' }] = (JSON.parse(stored) as { value: { records: { id: string }[] } }).value
        .records
      const at = (path: string, session: string | null = ben) =>
        ask(`GET /_app/files/in/${path}`, { session })
      const found = await at(`plants/${id}/photo`)
      assert.deepEqual([found.text, found.headers.get('cache-control')], ['pears', 'private, no-store'])
      const noField = error('not_found', 'There is no such file field.')
      for (const path of [
        `plants/${id}/name`,
        `plants/${id}/other`,
        `plants/${id}/toString`,
        `x/${id}/photo`,
        `__proto__/${id}/photo`,
      ])
        assert.deepEqual((await at(path)).error, noField, path)
      assert.equal((await at(`plants/${id}/photo`, null)).status, 401)
      assert.equal((await at('plants/missing-record/photo')).status, 404)
      await ask(`DELETE /_app/files/${photo}`)
      assert.deepEqual((await at(`plants/${id}/photo`)).error, error('not_found', 'There is no such file.'))
    })
  })

  describe('removing', () => {
    test('a removed file disappears from the list and the bucket, and its signed links no longer work', async () => {
      const { id } = await upload('pears')
      const url = await linkTo(id)
      assert.deepEqual((await ask(`DELETE /_app/files/${id}`, { session: ben })).error, NO_FILE)
      assert.deepEqual((await ask(`DELETE /_app/files/${id}`)).data, { id })
      assert.deepEqual([...bucket.objects.keys()], [])
      assert.deepEqual((await ask(`GET ${url}`, { session: null })).error, BAD_LINK)
      assert.deepEqual((await ask('GET /_app/files')).data, { items: [], nextCursor: null })
      assert.deepEqual((await ask(`DELETE /_app/files/${id}`)).error, NO_FILE)
    })

    test('a file whose bytes are missing from the bucket is reported as not found, and can be removed', async () => {
      const { id } = await upload('pears')
      bucket.objects.clear()
      assert.deepEqual((await ask(`GET /_app/files/${id}`)).error, NO_FILE)
      assert.deepEqual((await ask(`GET ${await linkTo(id)}`, { session: null })).error, BAD_LINK)
      assert.deepEqual((await ask(`DELETE /_app/files/${id}`)).data, { id })
    })
  })
})
