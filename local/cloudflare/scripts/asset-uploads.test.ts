import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud } from '../../testing/cloud.ts'
import { createAccount } from '../accounts/accounts.ts'
import { ApiFailure } from '../rest/failure.ts'
import { type AssetManifest, openSession, readUploadedFiles, storeAssets } from './asset-uploads.ts'

const HOUR_MS = 3_600_000
const MB = 1024 * 1024
const hashOf = (text: string) => createHash('md5').update(text).digest('hex')
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
const manifestOf = (...texts: string[]): AssetManifest =>
  Object.fromEntries(texts.map((text) => [`/${text}`, { hash: hashOf(text), size: text.length }]))

describe('uploads of asset files', () => {
  let cloud: TestCloud
  beforeEach(() => {
    cloud = testCloud()
  })
  afterEach(() => cloud.close())

  const open = (manifest: AssetManifest, accountId = cloud.accountId) =>
    openSession(cloud, accountId, 'site', manifest)
  const store = async (jwt: string, ...texts: string[]) =>
    (
      await storeAssets(
        cloud,
        jwt,
        texts.map((text) => ({ hash: hashOf(text), bytes: Buffer.from(text), contentType: 'text/plain' })),
      )
    ).jwt
  const filesOf = (jwt: string | null, accountId = cloud.accountId) =>
    readUploadedFiles(cloud, accountId, jwt ?? '')
  /** Returns status and code of the failure that `work` throws. */
  const refusal = async (work: () => unknown) => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      return [error.status, error.code]
    }
  }

  test('asset content that has several paths or was uploaded in an earlier session is uploaded only once', async () => {
    const same = { hash: hashOf('x'), size: 1 }
    const first = open({ '/a': same, '/b': same })
    assert.deepEqual(first.buckets, [[hashOf('x')]])
    const done = await store(first.jwt, 'x')
    assert.deepEqual(filesOf(done), { '/a': digestOf('x'), '/b': digestOf('x') })
    const second = open({ '/c': same })
    assert.deepEqual([second.buckets, filesOf(second.jwt)], [[], { '/c': digestOf('x') }])
  })

  test('an asset manifest without files gets its completion token immediately', () => {
    const { jwt, buckets } = open({})
    assert.deepEqual([buckets, filesOf(jwt)], [[], {}])
  })

  test('uploading the last missing asset file returns the completion token, whatever the order of the files', async () => {
    const { jwt } = open(manifestOf('one', 'two', 'three'))
    assert.deepEqual(
      [await store(jwt, 'two'), await store(jwt), await store(jwt, 'two', 'three')],
      [null, null, null],
    )
    assert.deepEqual(filesOf(await store(jwt, 'one')), {
      '/one': digestOf('one'),
      '/two': digestOf('two'),
      '/three': digestOf('three'),
    })
  })

  test('an asset upload batch has at most a hundred files and 40 MB, and a larger file has a batch of its own', () => {
    const sized = (sizes: number[]) =>
      Object.fromEntries(sizes.map((size, at) => [`/${at}`, { hash: `${at}`, size }]))
    const counts = (sizes: number[]) => open(sized(sizes)).buckets.map((bucket) => bucket.length)
    assert.deepEqual(counts(Array(100).fill(1)), [100])
    assert.deepEqual(counts(Array(201).fill(1)), [100, 100, 1])
    assert.deepEqual(counts([20 * MB, 20 * MB, 1]), [2, 1])
    assert.deepEqual(counts([20 * MB, 20 * MB + 1, 1]), [1, 2])
    assert.deepEqual(counts([1, 41 * MB, 1]), [1, 1, 1])
  })

  test('the upload and completion tokens of asset uploads are valid for an hour', async () => {
    const { jwt } = open(manifestOf('one'))
    cloud.clock.advance(HOUR_MS - 1000)
    const done = await store(jwt, 'one')
    cloud.clock.advance(HOUR_MS - 1000)
    assert.deepEqual(await refusal(() => store(jwt, 'one')), [401, 10000])
    assert.deepEqual(filesOf(done), { '/one': digestOf('one') })
    cloud.clock.advance(2000)
    assert.deepEqual(await refusal(() => filesOf(done)), [401, 10000])
  })

  test("an account must upload an asset file even if another account already has, and cannot use the other's token", async () => {
    const other = createAccount(cloud.store, { name: 'Other', plan: 'paid', at: 1 }).id
    const done = await store(open(manifestOf('one')).jwt, 'one')
    assert.deepEqual(open(manifestOf('one'), other).buckets, [[hashOf('one')]])
    assert.deepEqual(await refusal(() => filesOf(done, other)), [400, 10021])
    assert.deepEqual(filesOf(done), { '/one': digestOf('one') })
  })

  test('an altered, foreign, incomplete or malformed asset upload token is refused', async () => {
    const { jwt } = open(manifestOf('one'))
    const [head = '', payload = '', signature = ''] = jwt.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
    const altered = Buffer.from(JSON.stringify({ ...claims, step: 'complete' })).toString('base64url')
    const foreign = openSession({ ...cloud, signingKey: 'another' }, cloud.accountId, 'site', {}).jwt
    for (const wrong of ['', 'x', '..', `${head}.${payload}.`, `${head}.${altered}.${signature}`, foreign])
      assert.deepEqual(
        [await refusal(() => store(wrong, 'one')), await refusal(() => filesOf(wrong))],
        [
          [401, 10000],
          [401, 10000],
        ],
        wrong,
      )
    assert.deepEqual(await refusal(() => filesOf(jwt)), [400, 10021])
  })

  test('an asset file outside the manifest is refused, and earlier files in the same request stay stored', async () => {
    const { jwt } = open(manifestOf('one', 'two'))
    assert.deepEqual(await refusal(() => store(jwt, 'one', 'stranger')), [400, 10021])
    assert.deepEqual(filesOf(await store(jwt, 'two')), { '/one': digestOf('one'), '/two': digestOf('two') })
  })

  test('when two simultaneous requests send the last two asset files, at least one returns the completion token', async () => {
    const { jwt } = open(manifestOf('one', 'two'))
    const tokens = await Promise.all([store(jwt, 'one'), store(jwt, 'two')])
    const done = tokens.find((token) => token !== null) ?? null
    assert.deepEqual(filesOf(done), { '/one': digestOf('one'), '/two': digestOf('two') })
  })

  test('a completion token is refused when the row of its upload session or of one of its files was deleted', async () => {
    const { jwt } = open(manifestOf('one'))
    const done = await store(jwt, 'one')
    cloud.store.run('DELETE FROM assets')
    assert.deepEqual(await refusal(() => filesOf(done)), [400, 10021])
    cloud.store.run('DELETE FROM upload_sessions')
    assert.deepEqual(await refusal(() => filesOf(done)), [401, 10000])
  })

  test('an asset upload whose body is not a valid form is refused', async () => {
    const { jwt } = open(manifestOf('one'))
    const path = '/A/workers/assets/upload'
    for (const type of ['multipart/form-data; boundary=x', 'text/plain']) {
      const headers = { authorization: `Bearer ${jwt}`, 'content-type': type }
      assert.equal((await cloud.send(path, { method: 'POST', headers, body: 'x' })).status, 400)
    }
  })
})
