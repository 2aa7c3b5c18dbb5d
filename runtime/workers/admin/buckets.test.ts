import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { beforeEach, describe, test } from 'node:test'
import { importObjects } from '../../data/partition/objects.test.fixture.ts'
import type { AdminEnv } from '../../kernel/objects/admin.ts'

const { admin } = await importObjects()

const AUDIENCE = 'plants-admin'
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
/** R2 lists and deletes at most this number of objects in one call. */
const CALL_OBJECTS_MAX = 1000

/** A bucket with `count` objects, in memory. */
function bucketOf(count: number) {
  const keys = new Set(Array.from({ length: count }, (_, n) => `raw/${n}`))
  return {
    keys,
    list: async ({ limit, startAfter = '' }: { limit: number; startAfter?: string }) => {
      const left = [...keys].toSorted().filter((key) => key > startAfter)
      const objects = left
        .slice(0, limit)
        .map((key) => ({ key, size: 1, httpEtag: `"${key}"`, customMetadata: { key } }))
      return { objects, truncated: left.length > limit }
    },
    delete: async (given: string[]) => {
      assert.ok(given.length <= CALL_OBJECTS_MAX)
      for (const key of given) keys.delete(key)
    },
  }
}

describe('the bucket routes of the admin worker', () => {
  let buckets: Record<'FILES' | 'FILES_PREVIEW' | 'MAPS', ReturnType<typeof bucketOf>>
  let used: Set<string>
  beforeEach(() => {
    buckets = { FILES: bucketOf(1_100), FILES_PREVIEW: bucketOf(2), MAPS: bucketOf(1) }
    used = new Set()
  })
  const sizes = () => Object.values(buckets).map(({ keys }) => keys.size)

  const empty = (capability: string, tier: string, jti?: string) =>
    call<object>('DELETE', `/${capability}/objects`, tier, jti)

  async function call<T>(method: 'DELETE' | 'GET', path: string, tier: string, jti: string = randomUUID()) {
    const bodySha256 = createHash('sha256').update('').digest('hex')
    const exp = Math.floor(Date.now() / 1000) + 45
    const claim = { aud: AUDIENCE, tier, method, path, bodySha256, exp, jti }
    const payload = Buffer.from(JSON.stringify(claim)).toString('base64url')
    const token = `${payload}.${sign(null, Buffer.from(payload), privateKey).toString('base64url')}`
    const live = {
      spend: async (_tier: string, id: string) => {
        const isNew = !used.has(id)
        used.add(id)
        return isNew
      },
      erase: async (
        _tier: string,
        userId: string,
        removeBytes: (keys: string[], capability?: string) => unknown,
      ) => ({
        ok: true,
        value: [
          await removeBytes([userId]),
          await removeBytes([userId], 'maps'),
          await removeBytes([userId], 'video'),
        ],
      }),
    }
    const env = {
      LIVE: live,
      OPERATOR_KEY: String(publicKey.export({ format: 'jwk' }).x),
      AUDIENCE,
      VERSION: '',
      ...buckets,
    } as unknown as AdminEnv
    const headers = { authorization: `Bearer ${token}` }
    const answer = await admin.fetch(new Request(`https://admin.test${path}`, { method, headers }), env)
    return (await answer.json()) as { data?: T; error?: { code: string } }
  }

  test("emptying a capability's bucket deletes a thousand objects per call, and none of the preview or of another capability", async () => {
    assert.deepEqual((await empty('files', 'production')).data, { removed: 1000, isEmpty: false })
    assert.deepEqual((await empty('files', 'production')).data, { removed: 100, isEmpty: true })
    assert.deepEqual((await empty('files', 'production')).data, { removed: 0, isEmpty: true })
    assert.deepEqual(sizes(), [0, 2, 1])
  })

  test("the operator can empty the preview's bucket, and the bucket of a capability of any name", async () => {
    assert.deepEqual((await empty('files', 'preview')).data, { removed: 2, isEmpty: true })
    assert.deepEqual((await empty('maps', 'production')).data, { removed: 1, isEmpty: true })
    assert.deepEqual(sizes(), [1_100, 0, 0])
  })

  test('emptying a bucket fails with not_enabled when it does not exist, and with unauthorized when the token was used', async () => {
    assert.equal((await empty('maps', 'preview')).error?.code, 'not_enabled')
    assert.equal((await empty('video', 'production')).error?.code, 'not_enabled')
    await empty('files', 'preview', 'once')
    buckets.FILES_PREVIEW.keys.add('stored since')
    assert.equal((await empty('files', 'preview', 'once')).error?.code, 'unauthorized')
    assert.deepEqual(sizes(), [1_100, 1, 1])
  })

  test("erasing a person can delete objects from any capability's bucket, and is told when the bucket does not exist", async () => {
    for (const { keys } of Object.values(buckets)) keys.add('u_ada')
    const { data } = await call<boolean[]>('DELETE', '/auth/users/u_ada', 'production')
    assert.deepEqual(data, [true, true, false])
    assert.deepEqual(sizes(), [1_100, 3, 1])
  })

  test('moving an app reads the objects of a bucket in pages, and every page but the last has the key for the next page', async () => {
    const keys: string[] = []
    let pages = 0
    for (let query = ''; ; pages++) {
      const path = `/transfer/buckets/files/objects${query}`
      const { data } = await call<{
        items: { key: string; etag: string; customMetadata: object }[]
        next: string | null
      }>('GET', path, 'production')
      assert.ok(data)
      for (const { key, etag, customMetadata } of data.items) {
        assert.deepEqual([etag, customMetadata], [`"${key}"`, { key }])
        keys.push(key)
      }
      if (data.next === null) break
      query = `?${new URLSearchParams({ after: data.next }).toString()}`
    }
    assert.deepEqual(keys, [...buckets.FILES.keys].toSorted())
    assert.equal(pages, 5)
  })
})
