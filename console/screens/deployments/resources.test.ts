import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ManagedResource } from '../../api/project/deployments.ts'
import { groupResources, liveWorker, kindDeletedBy } from './resources.ts'

const CREATED_AT = '2026-11-21T00:00:00.000Z'
const managedResource = (name: string, change: Partial<ManagedResource> = {}): ManagedResource => ({
  id: name,
  kind: 'worker',
  name,
  capability: null,
  capabilities: [],
  status: 'ok',
  version: null,
  url: null,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  ...change,
})

describe('the resources of a project', () => {
  test("the app's own cloud resources come first, then a group for each capability, and each group is sorted by name", () => {
    const groups = groupResources([
      managedResource('z', { capability: 'files' }),
      managedResource('b'),
      managedResource('x', { capability: 'data' }),
      managedResource('a'),
      managedResource('c', { capability: 'files' }),
    ])
    assert.deepEqual(
      groups.map(({ capability, resources }) => [capability, resources.map(({ name }) => name).join()]),
      [
        [null, 'a,b'],
        ['data', 'x'],
        ['files', 'c,z'],
      ],
    )
    assert.deepEqual(groupResources([]), [])
  })

  test('the deletion of a worker that holds a database warns about the loss of the database', () => {
    const managed = [
      managedResource('live'),
      managedResource('live', { kind: 'object_namespace' }),
      managedResource('app'),
      managedResource('files', { kind: 'bucket' }),
    ]
    assert.deepEqual(
      managed.map((one) => kindDeletedBy(one, managed)),
      ['object_namespace', 'object_namespace', 'worker', 'bucket'],
    )
  })

  test('the worker of the live app is the one at the live URL, not the one of the preview', () => {
    const managed = [
      managedResource('preview', { url: 'http://p' }),
      managedResource('app', { url: 'http://live' }),
    ]
    assert.equal(liveWorker(managed, 'http://live')?.name, 'app')
    assert.equal(liveWorker(managed, null), null)
    assert.equal(liveWorker([managedResource('no-address')], null), null)
  })
})
