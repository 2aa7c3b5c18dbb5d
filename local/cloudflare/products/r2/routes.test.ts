import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { issueToken } from '../../accounts/tokens.ts'
import { findResource } from '../../store/resources.ts'
import { findScript } from '../../store/scripts.ts'
import { testCloud, type TestCloud, uploadForm } from '../../../testing/cloud.ts'

const SOURCE = 'export default { fetch() {} }'
const OBJECTS = 'export class Box {}\nexport default { fetch() {} }'

describe('R2 buckets', () => {
  let cloud: TestCloud
  beforeEach(() => {
    cloud = testCloud()
  })
  afterEach(() => cloud.close())

  const createBucket = (name: string) => cloud.call('POST', '/A/r2/buckets', { name })
  const uploadWorker = (name: string, buckets: string[], source = SOURCE, more: object = {}) =>
    cloud.call(
      'PUT',
      `/A/workers/scripts/${name}`,
      uploadForm(source, {
        bindings: buckets.map((bucket, index) => ({
          type: 'r2_bucket',
          name: `B${index}`,
          bucket_name: bucket,
        })),
        ...more,
      }),
    )
  const groupOf = (script: string) => findScript(cloud.store, cloud.accountId, script)?.groupId
  const findBucket = (name: string) => findResource(cloud.store, cloud.accountId, 'r2', { name })
  const groupOfBucket = (name: string) => findBucket(name)?.groupId

  test("a taken, malformed or unknown R2 bucket name returns Cloudflare's error code", async () => {
    assert.equal((await createBucket('books')).status, 200)
    const codes = [
      await createBucket('books'),
      await createBucket('No'),
      await cloud.call('GET', '/A/r2/buckets/nix'),
    ]
    assert.deepEqual(
      codes.map(({ status, errors }) => [status, errors[0]?.code]),
      [
        [409, 10004],
        [400, 10005],
        [404, 10006],
      ],
    )
  })

  test('a recreated R2 bucket is served by the process of the worker that still binds its name', async () => {
    await createBucket('books')
    await uploadWorker('shop', ['books'])
    const before = findBucket('books')?.id
    assert.equal((await cloud.call('DELETE', '/A/r2/buckets/books')).status, 200)
    await createBucket('books')
    await createBucket('other')
    assert.notEqual(findBucket('books')?.id, before)
    assert.equal(groupOfBucket('books'), groupOf('shop'))
    assert.notEqual(groupOfBucket('other'), groupOf('shop'))
  })

  test('the R2 API refuses an API token without the permission for R2', async () => {
    const { secret } = issueToken(cloud.store, {
      kind: 'api',
      accountId: cloud.accountId,
      scopes: ['workers-scripts.write'],
      at: 1,
    })
    const answer = await cloud.call('POST', '/A/r2/buckets', { name: 'books' }, secret)
    assert.deepEqual([answer.status, findBucket('books')], [403, null])
  })

  test('the pages of the list of R2 buckets contain each bucket once', async () => {
    for (const name of ['aaa', 'bbb', 'ccc']) await createBucket(name)
    const seen: string[] = []
    for (let cursor = ''; ;) {
      const answer = await cloud.call('GET', `/A/r2/buckets?per_page=2&cursor=${cursor}`)
      seen.push(...(answer.result as { buckets: { name: string }[] }).buckets.map(({ name }) => name))
      const next = (answer as { result_info?: { cursor?: string } }).result_info?.cursor
      if (next === undefined) break
      cursor = next
    }
    assert.deepEqual(seen, ['aaa', 'bbb', 'ccc'])
  })

  test('a list of R2 buckets can start after a name and be ascending or descending, even over several pages', async () => {
    for (const name of ['aaa', 'bbb', 'ccc', 'ddd']) await createBucket(name)
    const page = async (query: string) => {
      const { result, result_info: info } = await cloud.call('GET', `/A/r2/buckets?${query}`)
      return [(result as { buckets: { name: string }[] }).buckets.map(({ name }) => name), info?.['cursor']]
    }
    assert.deepEqual(await page('start_after=bbb'), [['ccc', 'ddd'], undefined])
    assert.deepEqual(await page('start_after=b&per_page=1'), [['bbb'], 'bbb'])
    assert.deepEqual(await page('start_after=b&per_page=2&cursor=bbb'), [['ccc', 'ddd'], undefined])
    assert.deepEqual(await page('direction=desc&per_page=2'), [['ddd', 'ccc'], 'ccc'])
    assert.deepEqual(await page('direction=desc&per_page=2&cursor=ccc'), [['bbb', 'aaa'], undefined])
    assert.deepEqual(await page('direction=desc&start_after=bbb'), [['aaa'], undefined])
    assert.equal((await cloud.call('GET', '/A/r2/buckets?direction=up')).status, 400)
  })

  test('workers of one project, such as shop-live and shop-assets, share a process that serves their R2 buckets', async () => {
    await createBucket('shop-assets')
    await uploadWorker('shop-live', [], OBJECTS, { exports: { Box: { type: 'durable-object' } } })
    await uploadWorker('shop-assets', ['shop-assets'])
    assert.equal(groupOf('shop-assets'), groupOf('shop-live'))
    assert.equal(groupOfBucket('shop-assets'), groupOf('shop-live'))
  })

  test('when a worker binds an empty R2 bucket, the bucket is assigned to the process of that worker', async () => {
    await uploadWorker('counter', [], OBJECTS, { exports: { Box: { type: 'durable-object' } } })
    await createBucket('photos')
    assert.notEqual(groupOfBucket('photos'), groupOf('counter'))
    const answer = await uploadWorker('counter', ['photos'], OBJECTS)
    assert.equal(answer.status, 200)
    assert.equal(groupOfBucket('photos'), groupOf('counter'))
  })

  test("when the first worker binds an R2 bucket with objects, the bucket and its data move to that worker's process", async () => {
    await createBucket('photos')
    cloud.inUse.add('photos')
    await uploadWorker('counter', [], OBJECTS, { exports: { Box: { type: 'durable-object' } } })
    assert.equal((await uploadWorker('counter', ['photos'], OBJECTS)).status, 200)
    assert.equal(groupOf('counter'), groupOfBucket('photos'))
    assert.deepEqual(cloud.carried, ['photos'])
  })

  test('binding an R2 bucket with data moves the worker to its process, or the bucket to a worker with Durable Objects', async () => {
    await createBucket('photos')
    await uploadWorker('album', ['photos'])
    cloud.inUse.add('photos')
    await uploadWorker('viewer', ['photos'])
    assert.equal(groupOf('viewer'), groupOfBucket('photos'))
    assert.deepEqual([groupOf('album'), cloud.carried], [groupOf('viewer'), []])
    await uploadWorker('counter', [], OBJECTS, { exports: { Box: { type: 'durable-object' } } })
    const counters = groupOf('counter')
    assert.equal((await uploadWorker('counter', ['photos'], OBJECTS)).status, 200)
    assert.deepEqual([groupOf('counter'), groupOfBucket('photos')], [counters, counters])
    assert.deepEqual([groupOf('album'), groupOf('viewer'), cloud.carried], [counters, counters, ['photos']])
  })

  test('an upload that would share an R2 bucket between Durable Objects in different processes is refused', async () => {
    await createBucket('photos')
    cloud.inUse.add('photos')
    for (const name of ['counter', 'other'])
      await uploadWorker(name, [], OBJECTS, { exports: { Box: { type: 'durable-object' } } })
    assert.equal((await uploadWorker('counter', ['photos'], OBJECTS)).status, 200)
    const before = [groupOf('counter'), groupOf('other'), groupOfBucket('photos')]
    const answer = await uploadWorker('other', ['photos'], OBJECTS)
    assert.deepEqual([answer.status, answer.errors[0]?.code], [400, 10021])
    assert.match(answer.errors[0]?.message ?? '', /other and photos/)
    assert.deepEqual([groupOf('counter'), groupOf('other'), groupOfBucket('photos')], before)
  })

  test('deleting a worker and then its bucket leaves neither the bucket nor a process group', async () => {
    await createBucket('photos')
    await uploadWorker('viewer', ['photos'])
    await cloud.call('DELETE', '/A/workers/scripts/viewer')
    await cloud.call('DELETE', '/A/r2/buckets/photos')
    assert.equal(findBucket('photos'), null)
    assert.deepEqual(cloud.store.all('SELECT id FROM groups'), [])
  })
})
