import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { deleteBucket, ensureBucket, listObjects } from './r2.ts'
import { bodyResponse, closeProviders, errorResponse, hangUp, okResponse, startProvider } from '../testing.ts'

const BUCKET = '/accounts/acc/r2/buckets/shop'
const LIST = `GET ${BUCKET}/objects?per_page=1000`
const missing = errorResponse(404, 10006, 'The specified bucket does not exist.')
const pageResponse = (keys: string[], cursor?: string | null) =>
  bodyResponse({
    success: true,
    result: keys.map((key) => ({ key, size: 1 })),
    ...(cursor !== undefined && { result_info: { cursor } }),
  })
const keysOf = ({ objects, isAll }: Awaited<ReturnType<typeof listObjects>>) => [
  objects.map(({ key }) => key),
  isAll,
]

describe('buckets at Cloudflare', () => {
  after(closeProviders)

  test('objects of a bucket are listed page by page until Cloudflare returns no cursor, even after a short or empty page', async () => {
    for (const last of [undefined, null, '']) {
      const { cloud, calls } = await startProvider(
        pageResponse(['a'], 'c1'),
        pageResponse([], 'c2'),
        pageResponse(['b'], last),
      )
      assert.deepEqual(keysOf(await listObjects(cloud, 'shop', 100)), [['a', 'b'], true])
      assert.deepEqual(calls(), [LIST, `${LIST}&cursor=c1`, `${LIST}&cursor=c2`])
    }
  })

  test('listing the objects of a bucket stops after the page that reaches the requested number, and says that more objects exist', async () => {
    const { cloud, seen } = await startProvider(pageResponse(['a', 'b'], 'c1'))
    assert.deepEqual(keysOf(await listObjects(cloud, 'shop', 2)), [['a', 'b'], false])
    assert.equal(seen.length, 1)
  })

  test('a bucket that does not exist has no objects and counts as deleted', async () => {
    const { cloud, seen, records } = await startProvider(missing)
    assert.deepEqual(keysOf(await listObjects(cloud, 'shop', 2)), [[], true])
    await deleteBucket(cloud, 'shop')
    assert.deepEqual(seen, [`GET ${BUCKET}/objects`, `GET ${BUCKET}/objects`, `DELETE ${BUCKET}`])
    assert.deepEqual(records, ['bucket.delete shop ok'])
  })

  test('deleting a bucket first deletes its objects, including those that are added while it does so', async () => {
    const { cloud, calls } = await startProvider(
      pageResponse(['a', 'b/c ?']),
      okResponse(null),
      missing,
      pageResponse(['d']),
      okResponse(null),
      pageResponse([]),
      okResponse(null),
    )
    await deleteBucket(cloud, 'shop')
    assert.deepEqual(calls(), [
      LIST,
      `DELETE ${BUCKET}/objects/a`,
      `DELETE ${BUCKET}/objects/b/c ?`,
      LIST,
      `DELETE ${BUCKET}/objects/d`,
      LIST,
      `DELETE ${BUCKET}`,
    ])
  })

  test('an R2 object whose key a URL cannot hold is deleted by a key in the body, and slashes in other keys stay unencoded', async () => {
    const keys = ['.', '..', 'a/../b', './c', 'd/e.', '..f', '%2e']
    const { cloud, calls, requests, records } = await startProvider(
      pageResponse(keys),
      ...keys.map(() => okResponse(null)),
      pageResponse([]),
      okResponse(null),
    )
    await deleteBucket(cloud, 'shop')
    const inBody = (key: string) => [`DELETE ${BUCKET}/objects`, [key]]
    assert.deepEqual(calls().slice(1, 5), ['.', '..', 'a/../b', './c'].map(inBody))
    assert.deepEqual(
      requests.slice(5, 8).map(({ url }) => url),
      ['d/e.', '..f', '%252e'].map((key) => `${BUCKET}/objects/${key}`),
    )
    assert.deepEqual(records.slice(0, 2), ['object.delete shop/. ok', 'object.delete shop/.. ok'])
  })

  test('deleting a bucket fails when Cloudflare still lists an object that was just deleted', async () => {
    const teapot = errorResponse(418, 0, 'asked too often')
    const { cloud, seen } = await startProvider(
      pageResponse(['a']),
      okResponse(null),
      pageResponse(['a']),
      teapot,
    )
    await assert.rejects(deleteBucket(cloud, 'shop'), {
      fault: 'upstream',
      retryable: true,
      message: 'The cloud account still has a in the bucket shop after it was removed. Try again.',
    })
    assert.deepEqual(seen, [`GET ${BUCKET}/objects`, `DELETE ${BUCKET}/objects/a`, `GET ${BUCKET}/objects`])
  })

  test('looking up or creating a bucket in an account without R2 throws an error that says where to enable R2', async () => {
    const notEnabled = errorResponse(403, 10042, 'Please enable R2 through the Cloudflare Dashboard.')
    for (const wasMissing of [false, true]) {
      const { cloud } = await startProvider(notEnabled)
      await assert.rejects(ensureBucket(cloud, 'shop', { wasMissing }), {
        fault: 'product_disabled',
        status: 403,
        message: 'R2 is not enabled in the connected cloud account. Enable it in its dashboard.',
      })
      const { cloud: refusing } = await startProvider(errorResponse(400, 10005, 'Invalid bucket name'))
      await assert.rejects(ensureBucket(refusing, 'shop', { wasMissing }), { fault: 'upstream', status: 400 })
    }
  })

  test('a bucket that is known to be missing is created without a look-up, and looked up after a lost response', async () => {
    const { cloud, seen, records } = await startProvider(hangUp, okResponse({ name: 'shop' }))
    await ensureBucket(cloud, 'shop', { wasMissing: true })
    assert.deepEqual(seen, ['POST /accounts/acc/r2/buckets', `GET ${BUCKET}`])
    assert.deepEqual(records, ['bucket.create shop failed'])
  })
})
