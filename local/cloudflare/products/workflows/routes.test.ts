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
  const putWorkflow = (body: object, name = 'orders') => cloud.call('PUT', `/A/workflows/${name}`, body)
  const input = { script_name: 'shop', class_name: 'Order' }

  test("a workflow is created, changed and deleted, and saving an unchanged workflow does not restart the worker's process", async () => {
    const made = (await putWorkflow(input)).result as { id: string; version_id: string }
    const reloads = cloud.reloaded.length
    const again = (await putWorkflow(input)).result as { id: string; version_id: string }
    assert.deepEqual([again.id, cloud.reloaded.length], [made.id, reloads])
    assert.notEqual(again.version_id, made.version_id)
    await putWorkflow({ ...input, limits: { steps: 5 } })
    assert.equal(cloud.reloaded.length, reloads + 1)
    assert.equal((await cloud.call('DELETE', '/A/workflows/orders')).status, 200)
    assert.equal((await cloud.call('GET', '/A/workflows/orders')).status, 404)
  })

  test('a workflow with an invalid name, an unknown worker or class, or a schedule is refused', async () => {
    assert.equal((await putWorkflow(input, 'not%20a%20name')).status, 400)
    assert.equal((await putWorkflow({ ...input, script_name: 'nobody' })).errors[0]?.code, 10_007)
    assert.equal((await putWorkflow({ ...input, class_name: 'Nothing' })).errors[0]?.code, 10_021)
    assert.match(
      (await putWorkflow({ ...input, schedules: [{ cron: '* * * * *' }] })).errors[0]?.message ?? '',
      /not available/,
    )
    assert.equal((await putWorkflow({ ...input, schedules: [] })).status, 200)
  })

  test('deleting a worker deletes its workflows', async () => {
    await putWorkflow(input)
    await cloud.call('DELETE', '/A/workers/scripts/shop')
    assert.deepEqual((await cloud.call('GET', '/A/workflows')).result, [])
  })
})
