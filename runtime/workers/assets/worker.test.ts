import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { MemoryBucket } from '../../bytes/bucket.test.fixture.ts'
import { recordErrors } from '../../data/partition/objects.test.fixture.ts'
import { importInWorkerd } from '../../kernel/objects/workerd.test.fixture.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')
const EXP = NOW / 1000 + 60
const ORIGIN = 'https://uploads.example.com'
const READABLE = {
  'access-control-allow-origin': '*',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const UPLOAD_KEY = String(publicKey.export({ format: 'jwk' }).x)

const importWorker = () => importInWorkerd(() => import('./worker.ts'))

function tokenFor(grant: object): string {
  const payload = Buffer.from(JSON.stringify({ exp: EXP, ...grant })).toString('base64url')
  return `${payload}.${sign(null, Buffer.from(payload), privateKey).toString('base64url')}`
}

describe('the upload worker', () => {
  let modules: Awaited<ReturnType<typeof importWorker>>
  let bucket: MemoryBucket
  let logged: { message: string; route: string }[]
  before(async () => {
    modules = await importWorker()
  })
  beforeEach(() => {
    mock.restoreAll()
    mock.timers.reset()
    mock.timers.enable({ apis: ['Date'], now: NOW })
    logged = recordErrors()
    bucket = new MemoryBucket()
    bucket.store('a b.txt', 'hello', { httpMetadata: { contentType: 'text/html' } })
  })
  after(() => {
    mock.restoreAll()
    mock.timers.reset()
  })

  const env = () => ({ BUCKET: bucket as never, UPLOAD_KEY, CACHE_SECONDS: '60', VERSION: 'v1' })
  async function ask(method: string, path: string, grant: object | null = null, init: RequestInit = {}) {
    const headers = new Headers(init.headers)
    if (grant !== null) headers.set('authorization', `Bearer ${tokenFor(grant)}`)
    const request = new Request(`${ORIGIN}${path}`, { ...init, method, headers })
    const response = await modules.default.fetch(request, env())
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    return response
  }
  const refusalOf = async (asked: Promise<Response>) => {
    const response = await asked
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    return [response.status, error.code, error.message]
  }
  const GET = { use: 'get', key: 'a b.txt' }
  const PATH = '/a%20b.txt'

  test('the upload worker returns the allowed methods and headers to a CORS preflight request from any origin', async () => {
    const response = await ask('OPTIONS', PATH)
    assert.deepEqual(
      [response.status, Object.fromEntries(response.headers)],
      [
        204,
        {
          ...READABLE,
          'access-control-allow-methods': 'GET, PUT',
          'access-control-allow-headers': 'authorization, content-type',
          'access-control-max-age': '86400',
        },
      ],
    )
  })

  test("the upload worker's health check succeeds only if its bucket responds, and returns the deployment id", async () => {
    const response = await ask('GET', '/_app/health')
    assert.deepEqual(await response.json(), { ok: true, data: { release: 'v1' } })
    bucket.before = () => {
      throw new Error('The bucket does not exist.')
    }
    const broken = [502, 'upstream_error', 'The bucket did not respond. Try again.']
    assert.deepEqual(await refusalOf(ask('GET', '/_app/health')), broken)
    assert.deepEqual(logged, [{ message: 'The bucket does not exist.', route: 'GET /_app/health' }])
  })

  test('a download from the upload worker has headers that keep a browser from running the file as a page', async () => {
    const response = await ask('GET', PATH, GET)
    assert.deepEqual(
      [response.status, await response.text(), Object.fromEntries(response.headers)],
      [
        200,
        'hello',
        {
          ...READABLE,
          'accept-ranges': 'bytes',
          'content-disposition': 'attachment',
          'content-length': '5',
          'content-security-policy': "sandbox; default-src 'none'",
          'content-type': 'text/html',
          etag: (await bucket.head('a b.txt'))?.httpEtag,
        },
      ],
    )
    const missing = { ...GET, key: 'none' }
    const nothing = [404, 'not_found', 'There is nothing under this key.']
    assert.deepEqual(await refusalOf(ask('GET', '/none', missing)), nothing)
  })

  test('the upload worker refuses a request without a valid token before it calls the bucket', async () => {
    bucket.before = () => assert.fail('not called')
    const invalid = [401, 'unauthorized', 'The token is invalid or has expired.']
    const expired = tokenFor({ ...GET, exp: NOW / 1000 })
    for (const authorization of [
      null,
      '',
      'Bearer',
      'Bearer x',
      `Basic ${tokenFor(GET)}`,
      `Bearer ${expired}`,
    ])
      assert.deepEqual(
        await refusalOf(ask('GET', PATH, null, authorization === null ? {} : { headers: { authorization } })),
        invalid,
        String(authorization),
      )
  })

  test('a token of the upload worker allows one object key only, and a path that is not a valid key matches no token', async () => {
    bucket.before = () => assert.fail('not called')
    const other = [403, 'forbidden', 'The token is for another key.']
    for (const path of ['/other.txt', '/', '/%E0%A4%A', '/a%2520b.txt', '/x/a%20b.txt'])
      assert.deepEqual(await refusalOf(ask('GET', path, GET)), other, path)
  })

  test('a token of the upload worker allows only the HTTP method of its use, such as PUT for an upload', async () => {
    bucket.before = () => assert.fail('not called')
    const methods = { put: 'PUT', get: 'GET', place: 'POST', stamp: 'POST', empty: 'DELETE' }
    for (const [use, allowed] of Object.entries(methods))
      for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'HEAD']) {
        if (method === allowed) continue
        const asked = ask(method, '/k', { use, key: 'k' })
        const refusal = [403, 'forbidden', `The token does not allow ${method}.`]
        assert.deepEqual(await refusalOf(asked), refusal, `${use} ${method}`)
      }
  })

  test('an upload is stored under the key of its token, then moved to its path, and then given its access rule', async () => {
    const text = 'new bytes'
    const put = { use: 'put', key: '_asset/1', jti: 'one', contentType: 'text/plain', sizeBytes: text.length }
    const headers = { 'content-type': 'text/plain', 'content-length': String(text.length) }
    const stored = await ask('PUT', '/_asset/1', put, { headers, body: text })
    assert.deepEqual(await stored.json(), { ok: true, data: { key: '_asset/1' } })
    const access = '{"kind":"public"}'
    const place = { use: 'place', key: 'docs/1.txt', from: '_asset/1', access }
    assert.equal((await ask('POST', '/docs/1.txt', place)).status, 200)
    const stamp = { use: 'stamp', key: 'docs/1.txt', access: '{"kind":"members"}' }
    assert.equal((await ask('POST', '/docs/1.txt', stamp)).status, 200)
    assert.deepEqual(
      [bucket.textOf('docs/1.txt'), bucket.objects.get('docs/1.txt')?.customMetadata],
      [text, { access: '{"kind":"members"}', from: '_asset/1' }],
    )
  })

  test("when the upload worker's bucket fails, the error names the bucket, and is logged without the token", async () => {
    bucket.before = () => {
      throw new Error('get: internal error (10001)')
    }
    const broken = [502, 'upstream_error', 'The bucket did not respond. Try again.']
    assert.deepEqual(await refusalOf(ask('GET', PATH, GET)), broken)
    assert.deepEqual(logged, [{ message: 'get: internal error (10001)', route: `GET ${PATH}` }])
  })

  describe('the entrypoint of the upload worker for the app', () => {
    const serve = async (path: string, headers: Record<string, string> = {}) => {
      const entrypoint = new modules.Serve(null, env())
      const response = await entrypoint.fetch(new Request(`https://app.example.com${path}`, { headers }))
      return [response.status, response.headers.get('cache-control')]
    }
    const storeWith = (access: object) =>
      bucket.store('é.txt', 'hi', { customMetadata: { access: JSON.stringify(access) } })
    const PUBLIC = [200, 'public, max-age=60']
    const PRIVATE = [200, 'private, no-store']
    const MISSING = [404, 'no-store']

    test('an asset is served by its decoded path, and a path that cannot be decoded is missing', async () => {
      storeWith({ kind: 'public' })
      assert.deepEqual(await serve('/%C3%A9.txt'), PUBLIC)
      assert.deepEqual([await serve('/%C3'), await serve('/none')], [MISSING, MISSING])
    })

    test('only headers that the app sets decide who views an asset and which products the viewer has bought', async () => {
      const viewers = [
        {},
        { 'slipway-viewer': 'staff' },
        { 'slipway-products': 'pro' },
        { 'slipway-viewer': 'member' },
        { 'slipway-viewer': 'member', 'slipway-products': 'basic,pro' },
      ]
      const seen = async (access: object) => {
        storeWith(access)
        return await Promise.all(viewers.map((headers) => serve('/%C3%A9.txt', headers)))
      }
      assert.deepEqual(await seen({ kind: 'members' }), [MISSING, MISSING, MISSING, PRIVATE, PRIVATE])
      const product = { kind: 'product', productId: 'pro' }
      assert.deepEqual(await seen(product), [MISSING, MISSING, MISSING, MISSING, PRIVATE])
      const nameless = { kind: 'product', productId: '' }
      assert.deepEqual(await seen(nameless), [MISSING, MISSING, MISSING, MISSING, MISSING])
    })
  })
})
