import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud, uploadForm } from '../testing/cloud.ts'
import { issueToken, type NewToken } from './accounts/tokens.ts'

const HOUR_MS = 3_600_000

interface Recorded {
  method: string
  path: string
  status: number
  account: string | null
  bodyDigest: string | null
  unimplemented: boolean
}

describe('the REST API as a whole', () => {
  let cloud: TestCloud
  beforeEach(() => {
    cloud = testCloud()
  })
  afterEach(() => cloud.close())

  const issue = (more: Partial<NewToken> = {}) =>
    issueToken(cloud.store, { kind: 'api', accountId: cloud.accountId, scopes: [], at: cloud.now(), ...more })
      .secret
  const outcomeOf = async (answer: Response) => {
    const { errors } = (await answer.json()) as { errors: { code: number }[] }
    return [answer.status, errors[0]?.code]
  }
  const withHeader = async (authorization: string, path = '/user') =>
    outcomeOf(await cloud.send(path, { headers: { authorization } }))
  const journal = () => cloud.journal.read(0) as Recorded[]

  test('an API request is authorized only by a bearer token, with "Bearer" in upper or lower case', async () => {
    const { token } = cloud
    for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token}`])
      assert.deepEqual(await withHeader(header), [200, undefined], header)
    const basic = `Basic ${Buffer.from(`${token}:`).toString('base64')}`
    for (const header of [
      '',
      'Bearer',
      'Bearer ',
      token,
      basic,
      `Bearer ${token}x`,
      `Bearer ${token} ${token}`,
    ])
      assert.deepEqual(await withHeader(header), [401, 10000], header)
  })

  test('an API call with a refresh token or an expired token is refused, and verifying it has its own error code', async () => {
    const secrets = [issue({ kind: 'refresh' }), issue({ kind: 'access', lifeMs: HOUR_MS })]
    cloud.clock.advance(HOUR_MS)
    for (const secret of secrets) {
      assert.deepEqual(await withHeader(`Bearer ${secret}`, '/accounts'), [401, 10000])
      assert.deepEqual(await withHeader(`Bearer ${secret}`, '/user/tokens/verify'), [401, 1000])
    }
  })

  test('both routes that verify an API token return its expiry time, if it has one', async () => {
    const secret = issue({ kind: 'access', lifeMs: HOUR_MS })
    const expires = new Date(cloud.now() + HOUR_MS).toISOString()
    for (const path of ['/user/tokens/verify', '/A/tokens/verify']) {
      const { result } = await cloud.call('GET', path, undefined, secret)
      assert.equal((result as { expires_on?: string }).expires_on, expires, path)
      const endless = (await cloud.call('GET', path)).result as object
      assert.deepEqual(Object.keys(endless), ['id', 'status'], path)
    }
  })

  test("an API token's read permission for a product allows only reading, and its edit permission reading and writing", async () => {
    const outcomes = async (scope: string) => {
      const secret = issue({ scopes: [scope] })
      const calls = [
        cloud.call('GET', '/A/r2/buckets', undefined, secret),
        cloud.call('POST', '/A/r2/buckets', { name: `made-by-${scope.replace('.', '-')}` }, secret),
        cloud.call('DELETE', '/A/r2/buckets/none', undefined, secret),
        cloud.call('GET', '/A/queues', undefined, secret),
      ]
      return (await Promise.all(calls)).map(({ status }) => status)
    }
    assert.deepEqual(
      [await outcomes('r2.read'), await outcomes('r2.write'), await outcomes('queues.read')],
      [
        [200, 403, 403, 403],
        [200, 200, 404, 403],
        [403, 403, 403, 200],
      ],
    )
  })

  test('the error of an API call names the permission that the token lacks', async () => {
    const secret = issue({ scopes: ['user-details.read'] })
    const messageOf = async (method: string) =>
      (await cloud.call(method, '/A/queues', method === 'GET' ? undefined : { queue_name: 'q' }, secret))
        .errors[0]?.message
    assert.deepEqual(
      [await messageOf('GET'), await messageOf('POST')],
      [
        'Authentication error: the token lacks queues.read',
        'Authentication error: the token lacks queues.write',
      ],
    )
  })

  test('an empty or malformed JSON request body is refused with 400, and nothing is created', async () => {
    for (const body of ['', '{', 'name=books', 'null', '[]', '"books"', '{"name":7}', '\u0000'])
      assert.deepEqual(
        await outcomeOf(await cloud.send('/A/r2/buckets', { method: 'POST', body })),
        [400, 10001],
        body,
      )
    const { result } = await cloud.call('GET', '/A/r2/buckets')
    assert.deepEqual(result, { buckets: [] })
  })

  test('a JSON body is read whatever its content type, because clients send some bodies as text', async () => {
    for (const [at, type] of ['text/plain', 'application/octet-stream', ''].entries()) {
      const body = new Blob([JSON.stringify({ name: `bucket-${at}` })])
      const answer = await cloud.send('/A/r2/buckets', {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      })
      assert.equal(answer.status, 200, type)
    }
  })

  test('an unknown API path returns a 404 envelope and is marked as unimplemented in the journal', async () => {
    for (const path of ['/nothing', '/A/nothing', '/A/workers/nothing', '/accounts'])
      assert.deepEqual(
        await outcomeOf(await cloud.send(path, { method: 'POST', body: '{}' })),
        [404, 7003],
        path,
      )
    assert.deepEqual(await withHeader('', '/nothing'), [401, 10000])
    assert.deepEqual(
      journal().map(({ unimplemented }) => unimplemented),
      [true, true, true, true, false],
    )
  })

  test('an unexpected failure of an API call returns a 500 envelope that does not reveal the cause', async () => {
    const { result } = await cloud.call('POST', '/A/storage/kv/namespaces', { title: 'shelves' })
    const { id } = result as { id: string }
    const answer = await cloud.call('GET', `/A/storage/kv/namespaces/${id}/keys`)
    assert.deepEqual(
      [answer.status, answer.success, answer.result, answer.errors],
      [500, false, null, [{ code: 10002, message: 'An unknown error has occurred in the local cloud.' }]],
    )
  })

  test("the request journal contains every API call, even a refused one, with the account and the body's digest", async () => {
    await cloud.call('GET', '/A/r2/buckets')
    await cloud.call('POST', '/A/r2/buckets', { name: 'books' })
    await cloud.call('POST', '/A/r2/buckets', { name: 'books' })
    await cloud.call('DELETE', '/A/r2/buckets/books')
    await withHeader('Bearer unknown', '/user')
    const [read, made, again, gone, foreign] = journal()
    assert.deepEqual(
      [read, made, again, gone, foreign].map((one) => [one?.method, one?.status, one?.account]),
      [
        ['GET', 200, cloud.accountId],
        ['POST', 200, cloud.accountId],
        ['POST', 409, cloud.accountId],
        ['DELETE', 200, cloud.accountId],
        ['GET', 401, null],
      ],
    )
    assert.match(made?.bodyDigest ?? '', /^[0-9a-f]{64}$/)
    assert.deepEqual([read?.bodyDigest, again?.bodyDigest, gone?.bodyDigest], [null, made?.bodyDigest, null])
  })

  test('the request journal contains the digest of an upload body that the route has read', async () => {
    const { status } = await cloud.call(
      'PUT',
      '/A/workers/scripts/shop',
      uploadForm('export default { fetch() {} }'),
    )
    assert.equal(status, 200)
    assert.match(journal()[0]?.bodyDigest ?? '', /^[0-9a-f]{64}$/)
  })

  test('a D1 import or export file is not found at a guessed address, with or without a token', async () => {
    for (const headers of [{ authorization: '' }, {}])
      for (const method of ['GET', 'PUT'])
        assert.deepEqual(
          await outcomeOf(
            await cloud.send('/d1-files/d1_guess', {
              method,
              headers,
              ...(method === 'PUT' && { body: 'x' }),
            }),
          ),
          [404, 7404],
        )
  })
})
