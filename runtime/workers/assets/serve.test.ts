import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Bucket } from '../../bytes/bucket.ts'
import { serveAsset } from './serve.ts'

function bucketWith(stamp: string | null): Bucket {
  const object = {
    key: 'a.txt',
    size: 2,
    etag: 'e',
    httpEtag: '"e"',
    uploaded: new Date(0),
    ...(stamp !== null && { customMetadata: { access: stamp } }),
  }
  return {
    head: async () => object,
    get: async () => ({ ...object, body: new Blob(['hi']).stream() }),
    put: async () => null,
  }
}

async function statusFor(stamp: string | null, viewer: 'visitor' | 'member'): Promise<number | null> {
  const options = { cacheSeconds: '60', viewer, products: ['pro'] }
  const answer = await serveAsset(bucketWith(stamp), 'a.txt', new Headers(), options)
  return answer?.status ?? null
}

describe('the access stamp of an asset', () => {
  test('an asset is served only to the viewers that its stored access rule admits', async () => {
    assert.equal(await statusFor('{"kind":"public"}', 'visitor'), 200)
    assert.equal(await statusFor('{"kind":"members"}', 'visitor'), null)
    assert.equal(await statusFor('{"kind":"members"}', 'member'), 200)
    assert.equal(await statusFor('{"kind":"product","productId":"pro"}', 'member'), 200)
    assert.equal(await statusFor('{"kind":"product","productId":"max"}', 'member'), null)
  })

  test('an asset whose stored access rule is missing or invalid is not served', async () => {
    for (const stamp of [null, '', 'public', 'null', '"public"', '1', '[]', '{}'])
      assert.equal(await statusFor(stamp, 'member'), null, String(stamp))
  })
})
