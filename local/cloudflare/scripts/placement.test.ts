import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud, uploadForm } from '../../testing/cloud.ts'
import { ResourceData } from '../products/storage/data.ts'
import { sqliteFile } from '../products/storage/files.ts'
import { findResource } from '../store/resources.ts'
import { openWorkerGroups } from '../runtime/testing.ts'
import { commitWithPlacement } from './placement.ts'
import { findScript } from '../store/scripts.ts'

const HELLO = 'export default { fetch() {} }'

describe('the process of a worker and of the data that it binds', () => {
  let cloud: TestCloud
  let groups: Awaited<ReturnType<typeof openWorkerGroups>>
  beforeEach(async () => {
    cloud = testCloud()
    groups = await openWorkerGroups()
  })
  afterEach(() => {
    groups.close()
    cloud.close()
  })

  const upload = (name: string, bindings: object[] = [], more: object = {}) => {
    const source = `${'exports' in more ? 'export class Box {}\n' : ''}${HELLO}`
    return cloud.call('PUT', `/A/workers/scripts/${name}`, uploadForm(source, { bindings, ...more }))
  }
  const service = (name: string) => ({ type: 'service', name: name.toUpperCase(), service: name })
  const groupOf = (name: string) => findScript(cloud.store, cloud.accountId, name)?.groupId ?? ''
  const bucket = () => {
    const found = findResource(cloud.store, cloud.accountId, 'r2', { name: 'photos' })
    assert.notEqual(found, null)
    return found as NonNullable<typeof found>
  }
  const fileIn = (groupId: string) => sqliteFile(groups.stateDir('', groupId), bucket())

  test("when a worker upload merges several processes, a bucket's files move to the folder of the remaining process", async () => {
    const photos = { type: 'r2_bucket', name: 'PHOTOS', bucket_name: 'photos' }
    await cloud.call('POST', '/A/r2/buckets', { name: 'photos' })
    await upload('first', [photos])
    const home = groupOf('first')
    mkdirSync(dirname(fileIn(home)), { recursive: true })
    writeFileSync(fileIn(home), 'rows')
    // Once no worker binds the bucket, it no longer decides which process remains.
    await upload('first')
    await upload('second')
    await upload('objects', [], { exports: { Box: { type: 'durable-object' } } })
    const data = new ResourceData(cloud.store, groups.apps)
    const bindings = ['first', 'second', 'objects'].map(service)
    const placed = { accountId: cloud.accountId, name: 'user', bindings }
    const groupId = await commitWithPlacement({ ...cloud, data }, placed, (joined) => joined)
    assert.deepEqual([groupId, bucket().groupId], [groupOf('objects'), groupId])
    assert.deepEqual([existsSync(fileIn(home)), existsSync(fileIn(groupId))], [false, true])
  })
})
