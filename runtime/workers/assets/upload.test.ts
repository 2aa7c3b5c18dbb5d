import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Bucket, StoredObject } from '../../bytes/bucket.ts'
import type { PutGrant } from './token.ts'
import { upload } from './upload.ts'

const NOW = 1_800_000_000_000
const BODY = 'the bytes'

const objectWith = (customMetadata: Record<string, string>): StoredObject => ({
  key: '_prompt/a',
  size: BODY.length,
  etag: 'e',
  httpEtag: '"e"',
  uploaded: new Date(NOW),
  customMetadata,
})

/** A bucket that checks conditions and checksums. `beforePut` simulates a concurrent write. */
function bucketOf(start: StoredObject | null, beforePut: () => StoredObject | null = () => null) {
  let object = start
  const bucket: Bucket = {
    head: async () => object,
    get: async () => null,
    put: async (_key, _body, { onlyIf, sha256, customMetadata }) => {
      object = beforePut() ?? object
      const isFirstOnly = onlyIf instanceof Headers && onlyIf.get('if-none-match') === '*'
      if (isFirstOnly && object !== null) return null
      if (sha256 === 'wrong') throw new Error('put: The SHA-256 checksum you specified did not match (10037)')
      if (sha256 === 'broken') throw new Error('put: We encountered an internal error (10001)')
      object = objectWith(customMetadata)
      return object
    },
  }
  return { bucket, spent: () => object?.customMetadata?.['spent'] ?? null }
}

const grantOf = (change: Partial<PutGrant> = {}): PutGrant => ({
  use: 'put',
  key: '_prompt/a',
  exp: NOW / 1000 + 60,
  jti: 'mine',
  contentType: 'image/png',
  sizeBytes: BODY.length,
  sha256: 'right',
  ...change,
})

const putRequest = (headers: Record<string, string> = {}) =>
  new Request('https://x/_prompt/a', {
    method: 'PUT',
    headers: { 'content-type': 'image/png', 'content-length': String(BODY.length), ...headers },
    body: BODY,
  })

const storedWith = (spent: string) => objectWith({ spent })

describe('uploads to the upload worker', () => {
  test('an asset upload adds its token to the used tokens stored with the object, and removes the expired ones', async () => {
    const later = NOW / 1000 + 5
    const { bucket, spent } = bucketOf(storedWith(`old.${NOW / 1000 - 1} other.${later}`))
    const answer = await upload(putRequest(), grantOf(), bucket, NOW)
    assert.equal(answer.status, 200)
    assert.equal(spent(), `other.${later} mine.${NOW / 1000 + 60}`)
  })

  test('an asset upload with a token that was already used is rejected', async () => {
    const { bucket } = bucketOf(storedWith(`mine.${NOW / 1000 + 60}`))
    assert.equal((await upload(putRequest(), grantOf(), bucket, NOW)).status, 409)
  })

  test('concurrent asset uploads succeed with different tokens, and only one succeeds with the same token', async () => {
    const exp = NOW / 1000 + 60
    const other = bucketOf(null, () => storedWith(`other.${exp}`))
    assert.equal((await upload(putRequest(), grantOf(), other.bucket, NOW)).status, 200)
    const own = bucketOf(null, () => storedWith(`mine.${exp}`))
    assert.equal((await upload(putRequest(), grantOf(), own.bucket, NOW)).status, 409)
  })

  test('an asset upload gets status 429 while the object already stores the maximum number of used tokens', async () => {
    const many = Array.from({ length: 30 }, (_, n) => `t${n}.${NOW / 1000 + 60}`).join(' ')
    const { bucket, spent } = bucketOf(storedWith(many))
    assert.equal((await upload(putRequest(), grantOf(), bucket, NOW)).status, 429)
    assert.equal(spent(), many)
  })

  test('the used tokens that an object stores fit into its metadata', async () => {
    const { bucket, spent } = bucketOf(null)
    for (let n = 0; n < 30; n++) {
      const jti = crypto.randomUUID()
      assert.equal((await upload(putRequest(), grantOf({ jti }), bucket, NOW)).status, 200)
    }
    assert.ok((spent() ?? '').length + 'spent'.length <= 2048)
  })

  test('an asset upload without a length, or with another length or type than announced, is rejected before it is read', async () => {
    const { bucket, spent } = bucketOf(null)
    const bare = new Request('https://x/', { method: 'PUT', headers: { 'content-type': 'image/png' } })
    const status = async (asked: Request) => (await upload(asked, grantOf(), bucket, NOW)).status
    assert.deepEqual(
      [
        await status(bare),
        await status(putRequest({ 'content-length': '8' })),
        await status(putRequest({ 'content-type': 'text/html' })),
      ],
      [411, 400, 400],
    )
    assert.equal(spent(), null)
  })

  test('an asset upload whose bytes do not match the announced hash gets status 400; other storage failures are thrown', async () => {
    const { bucket } = bucketOf(null)
    const wrong = await upload(putRequest(), grantOf({ sha256: 'wrong' }), bucket, NOW)
    assert.equal(wrong.status, 400)
    await assert.rejects(upload(putRequest(), grantOf({ sha256: 'broken' }), bucket, NOW), /internal error/)
  })
})
