import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud, uploadForm } from '../../testing/cloud.ts'
import { createAccount } from '../accounts/accounts.ts'
import { issueToken } from '../accounts/tokens.ts'
import { findResource, listGroupResources } from '../store/resources.ts'
import { dropEmptyGroup, unboundGroup } from './groups.ts'
import { findScript, listGroupScripts } from '../store/scripts.ts'

const HELLO = 'export default { fetch() {} }'
const WITH_OBJECTS = { exports: { Box: { type: 'durable-object' } } }

describe('the process that serves a worker and its bound resources', () => {
  let cloud: TestCloud
  beforeEach(() => {
    cloud = testCloud()
  })
  afterEach(() => cloud.close())

  /** Uploads a worker that binds other workers and buckets. Returns the status of the response. */
  const upload = async (name: string, services: string[] = [], buckets: string[] = [], more: object = {}) => {
    const bindings = [
      ...services.map((service) => ({ type: 'service', name: `S_${service}`, service })),
      ...buckets.map((bucket) => ({ type: 'r2_bucket', name: `B_${bucket}`, bucket_name: bucket })),
    ]
    const source = `${'exports' in more ? 'export class Box {}\n' : ''}${HELLO}`
    const form = uploadForm(source, { bindings, ...more })
    return (await cloud.call('PUT', `/A/workers/scripts/${name}`, form)).status
  }
  const createBucket = (name: string) => cloud.call('POST', '/A/r2/buckets', { name })
  const groupOf = (name: string) => findScript(cloud.store, cloud.accountId, name)?.groupId ?? ''
  /** Returns the names of the workers and resources that share the process of a worker. */
  const membersWith = (name: string) =>
    [...listGroupScripts(cloud.store, groupOf(name)), ...listGroupResources(cloud.store, groupOf(name))].map(
      (member) => member.name,
    )
  const countGroups = () => cloud.store.all('SELECT id FROM groups').length

  test('workers of one project (-live, -admin, -preview, -assets) share a process, and workers with other names do not', async () => {
    for (const name of [
      'shop',
      'shop-live',
      'shop-admin',
      'shop-preview',
      'shop-assets',
      'shop-other',
      'live',
    ])
      await upload(name)
    assert.deepEqual(membersWith('shop'), ['shop', 'shop-admin', 'shop-assets', 'shop-live', 'shop-preview'])
    assert.deepEqual([membersWith('shop-other'), membersWith('live')], [['shop-other'], ['live']])
  })

  test('a worker that binds workers of several processes merges these processes into one', async () => {
    for (const order of [
      ['a', 'b', 'a2'],
      ['a', 'a2', 'b'],
      ['b', 'a', 'a2'],
    ]) {
      await upload('a')
      await upload('b')
      await upload('a2', ['a'])
      assert.deepEqual([await upload('user', order), membersWith('user')], [200, ['a', 'a2', 'b', 'user']])
      assert.equal(countGroups(), 1)
      for (const name of ['user', 'a2', 'a', 'b'])
        await cloud.call('DELETE', `/A/workers/scripts/${name}?force=true`)
      assert.equal(countGroups(), 0)
    }
  })

  test('a worker that moves to another process takes along the workers that it binds', async () => {
    await upload('a')
    await upload('b')
    await upload('a2', ['a'])
    assert.deepEqual([await upload('a2', ['b', 'a']), membersWith('a2')], [200, ['a', 'a2', 'b']])
  })

  test('an upload that binds workers of three processes moves all workers into the process with Durable Objects', async () => {
    await upload('left')
    await upload('right')
    await upload('objects', [], [], WITH_OBJECTS)
    const kept = groupOf('objects')
    assert.equal(await upload('user', ['left', 'objects', 'right']), 200)
    assert.deepEqual([groupOf('user'), membersWith('user')], [kept, ['left', 'objects', 'right', 'user']])
  })

  test('merging two processes keeps the process whose bucket has data, so no data is moved', async () => {
    await createBucket('photos')
    await upload('album', [], ['photos'])
    await upload('other')
    cloud.inUse.add('photos')
    const kept = groupOf('album')
    assert.equal(await upload('album', ['other'], ['photos']), 200)
    assert.deepEqual([groupOf('album'), groupOf('other'), cloud.carried], [kept, kept, []])
  })

  test('a bucket stays in the process of its deleted worker until another worker binds it', async () => {
    await createBucket('photos')
    await upload('album', [], ['photos'])
    const first = groupOf('album')
    await cloud.call('DELETE', '/A/workers/scripts/album')
    const bucket = () => findResource(cloud.store, cloud.accountId, 'r2', { name: 'photos' })?.groupId
    assert.equal(bucket(), first)
    await upload('viewer', [], ['photos'])
    assert.deepEqual([bucket(), countGroups()], [groupOf('viewer'), 1])
    assert.notEqual(bucket(), first)
  })

  test('workers of the same name in two accounts have separate processes', async () => {
    await upload('shop')
    const other = createAccount(cloud.store, { name: 'Other', plan: 'paid', at: 1 })
    const { secret } = issueToken(cloud.store, { kind: 'api', accountId: other.id, scopes: [], at: 1 })
    const path = `/accounts/${other.id}/workers/scripts/shop-live`
    assert.equal((await cloud.call('PUT', path, uploadForm(HELLO), secret)).status, 200)
    assert.deepEqual([membersWith('shop'), countGroups()], [['shop'], 2])
  })

  test('a process group is deleted only when it has neither workers nor resources', async () => {
    await createBucket('photos')
    const unbound = unboundGroup(cloud.store, cloud.accountId)
    await upload('shop')
    assert.deepEqual(
      [dropEmptyGroup(cloud.store, unbound), dropEmptyGroup(cloud.store, groupOf('shop'))],
      [false, false],
    )
    await cloud.call('DELETE', '/A/r2/buckets/photos')
    assert.equal(unboundGroup(cloud.store, cloud.accountId) === unbound, false)
    assert.equal(dropEmptyGroup(cloud.store, unboundGroup(cloud.store, cloud.accountId)), true)
    assert.equal(dropEmptyGroup(cloud.store, 'none'), false)
  })
})
