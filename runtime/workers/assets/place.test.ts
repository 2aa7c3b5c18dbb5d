import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MemoryBucket } from '../../bytes/bucket.test.fixture.ts'
import { placeAsset, stamp } from './place.ts'

const FROM = '_asset/upload-1'
const PATH = 'docs/plan.pdf'
const ACCESS = '{"kind":"members"}'
const PLACE = { use: 'place' as const, key: PATH, from: FROM, access: ACCESS, exp: 0 }
const STAMP = { use: 'stamp' as const, key: PATH, access: ACCESS, exp: 0 }
const PDF = { httpMetadata: { contentType: 'application/pdf' } }
const SPENT = { customMetadata: { spent: 'token.1800000060' } }

const answerOf = async (response: Response) => [response.status, await response.json()]
const done = (sizeBytes: number, storedAt: string) => [
  200,
  { ok: true, data: { sizeBytes, contentType: 'application/pdf', storedAt } },
]
const refused = (status: number, code: string, message: string) => [
  status,
  { ok: false, error: { code, message } },
]

describe('moving an upload to the path where it is served', () => {
  function openBucket() {
    const bucket = new MemoryBucket()
    bucket.store(FROM, 'the plan', { ...PDF, ...SPENT })
    const ask = async (grant = PLACE) => answerOf(await placeAsset(grant, bucket))
    return { bucket, ask }
  }

  test('an uploaded asset moves to its path with its type and access rule, and its used tokens stay at the upload path', async () => {
    const { bucket, ask } = openBucket()
    assert.deepEqual(await ask(), done(8, '2026-11-20T10:00:00.001Z'))
    const [asset, rest] = [bucket.objects.get(PATH), bucket.objects.get(FROM)]
    assert.deepEqual(
      [bucket.textOf(PATH), asset?.httpMetadata, asset?.customMetadata],
      ['the plan', PDF.httpMetadata, { access: ACCESS, from: FROM }],
    )
    assert.deepEqual(
      [bucket.textOf(FROM), rest?.httpMetadata, rest?.customMetadata],
      ['', PDF.httpMetadata, { ...SPENT.customMetadata, moved: 'yes' }],
    )
  })

  test('moving an asset upload to its path again changes nothing and returns the asset', async () => {
    const { bucket, ask } = openBucket()
    const first = await ask()
    bucket.before = (call) => assert.notEqual(call, 'put')
    assert.deepEqual(await ask(), first)
    assert.equal(bucket.textOf(PATH), 'the plan')
  })

  test('an interrupted move of an asset upload to its path is completed by the next attempt, whichever step failed', async () => {
    for (const failing of [PATH, FROM]) {
      const { bucket, ask } = openBucket()
      bucket.before = (call, key) => {
        if (call === 'put' && key === failing) throw new Error('put: internal error (10001)')
      }
      await assert.rejects(ask(), { message: 'put: internal error (10001)' })
      bucket.before = () => {}
      assert.equal((await ask())[0], 200)
      assert.deepEqual([bucket.textOf(PATH), bucket.textOf(FROM)], ['the plan', ''])
    }
  })

  test('moving an asset upload that never arrived fails as not found, and keeps the asset at its path', async () => {
    const { bucket, ask } = openBucket()
    bucket.store(PATH, 'the old plan')
    const missing = refused(404, 'not_found', 'Nothing was uploaded under this key.')
    assert.deepEqual(await ask({ ...PLACE, from: '_asset/other' }), missing)
    assert.equal(bucket.textOf(PATH), 'the old plan')
  })

  test('moving an asset upload again fails with conflict when its asset was replaced or removed in the meantime', async () => {
    const { bucket, ask } = openBucket()
    await ask()
    const replaced = refused(409, 'conflict', 'Replaced since.')
    bucket.store(PATH, 'a newer plan', { customMetadata: { access: ACCESS, from: '_asset/upload-2' } })
    assert.deepEqual(await ask(), replaced)
    assert.equal(bucket.textOf(PATH), 'a newer plan')
    bucket.objects.delete(PATH)
    assert.deepEqual(await ask(), replaced)
    assert.equal(bucket.textOf(PATH), null)
  })

  test('an empty asset upload is moved to its path like any other', async () => {
    const { bucket, ask } = openBucket()
    bucket.store(FROM, '', PDF)
    assert.deepEqual(await ask(), done(0, '2026-11-20T10:00:00.002Z'))
    assert.equal(bucket.textOf(PATH), '')
  })
})

describe('changing who may see an asset', () => {
  function openBucket() {
    const bucket = new MemoryBucket()
    const metadata = { access: '{"kind":"public"}', from: FROM }
    bucket.store(PATH, 'the plan', { ...PDF, customMetadata: metadata })
    const ask = async (grant = STAMP) => answerOf(await stamp(grant, bucket))
    return { bucket, ask }
  }

  test('changing who may see an asset keeps its bytes, its type and the name of its upload', async () => {
    const { bucket, ask } = openBucket()
    assert.deepEqual(await ask(), done(8, '2026-11-20T10:00:00.001Z'))
    const { httpMetadata, customMetadata } = bucket.objects.get(PATH)!
    assert.deepEqual(
      [bucket.textOf(PATH), httpMetadata, customMetadata],
      ['the plan', PDF.httpMetadata, { access: ACCESS, from: FROM }],
    )
  })

  test("an asset that is replaced while its access rule is changed keeps the replacement's bytes and rule", async () => {
    for (const text of ['a newer plan', 'the plan']) {
      const { bucket, ask } = openBucket()
      bucket.before = (call) => {
        if (call === 'put') bucket.store(PATH, text, { customMetadata: { access: 'newer' } })
      }
      assert.deepEqual(await ask(), refused(409, 'conflict', 'Changed meanwhile.'))
      assert.deepEqual(
        [bucket.textOf(PATH), bucket.objects.get(PATH)?.customMetadata],
        [text, { access: 'newer' }],
      )
    }
  })

  test('an asset that is removed before or while its access rule is changed is not stored again', async () => {
    const { bucket, ask } = openBucket()
    bucket.before = (call) => void (call === 'put' && bucket.objects.clear())
    assert.deepEqual(await ask(), refused(409, 'conflict', 'Changed meanwhile.'))
    assert.deepEqual(await ask(), refused(404, 'not_found', 'There is nothing under this key.'))
    assert.equal(bucket.objects.size, 0)
  })
})
