import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testCloud, uploadForm } from '../../../testing/cloud.ts'

describe('workflows over REST', () => {
  const cloud = testCloud()
  after(() => cloud.close())
  before(() =>
    cloud.call(
      'PUT',
      '/A/workers/scripts/shop',
      uploadForm('export default {fetch(){}}; export class Order {}'),
    ),
  )
  const put = (body: object, name = 'orders') => cloud.call('PUT', `/A/workflows/${name}`, body)
  const wish = { script_name: 'shop', class_name: 'Order' }

  test('one is made, made again without a restart of its app, changed and taken away', async () => {
    const made = (await put(wish)).result as { id: string; version_id: string }
    const reloads = cloud.reloaded.length
    const again = (await put(wish)).result as { id: string; version_id: string }
    assert.deepEqual([again.id, cloud.reloaded.length], [made.id, reloads])
    assert.notEqual(again.version_id, made.version_id)
    await put({ ...wish, limits: { steps: 5 } })
    assert.equal(cloud.reloaded.length, reloads + 1)
    assert.equal((await cloud.call('DELETE', '/A/workflows/orders')).status, 200)
    assert.equal((await cloud.call('GET', '/A/workflows/orders')).status, 404)
  })

  test('a wrong name, an unknown worker or class, and a schedule are refused', async () => {
    assert.equal((await put(wish, 'not%20a%20name')).status, 400)
    assert.equal((await put({ ...wish, script_name: 'nobody' })).errors[0]?.code, 10_007)
    assert.equal((await put({ ...wish, class_name: 'Nothing' })).errors[0]?.code, 10_021)
    assert.match(
      (await put({ ...wish, schedules: [{ cron: '* * * * *' }] })).errors[0]?.message ?? '',
      /not available/,
    )
    assert.equal((await put({ ...wish, schedules: [] })).status, 200)
  })

  test('a deleted worker takes its workflows along', async () => {
    await put(wish)
    await cloud.call('DELETE', '/A/workers/scripts/shop')
    assert.deepEqual((await cloud.call('GET', '/A/workflows')).result, [])
  })
})
