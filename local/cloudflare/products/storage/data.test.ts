import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { openStore } from '../../../schema.ts'
import type { Store } from '../../../world/store.ts'
import { createAccount } from '../../accounts/accounts.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { openWorkerGroups } from '../../runtime/testing.ts'
import { ResourceData } from './data.ts'
import { findResource, insertResource, setResourceGroup, type Resource } from '../../store/resources.ts'
import { AppUnavailableError, WaitRefusedError } from '../../workerd/groups.ts'

describe('access to the data of a resource', () => {
  let groups: Awaited<ReturnType<typeof openWorkerGroups>>
  let store: Store
  let data: ResourceData
  let bucket: Resource
  beforeEach(async () => {
    groups = await openWorkerGroups()
    store = openStore(':memory:')
    data = new ResourceData(store, groups.apps)
    const accountId = createAccount(store, { name: 'Acme', plan: 'paid', at: 1 }).id
    for (const id of ['one', 'two', 'three'])
      store.run('INSERT INTO groups (id, account_id, name) VALUES (?, ?, ?)', id, accountId, id)
    bucket = {
      id: 'photos',
      accountId,
      groupId: 'one',
      kind: 'r2',
      name: 'photos',
      settings: {},
      createdAt: 1,
    }
    insertResource(store, bucket)
  })
  afterEach(() => {
    groups.close()
    store.close()
  })

  const request = (init?: RequestInit) => data.request(bucket, { key: 'a b' }, init)
  const refusal = async (work: Promise<unknown>) => {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      return [error.status, error.code, error.headers]
    }
  }
  const UNAVAILABLE = (seconds: number) => [503, 10002, { 'Retry-After': String(seconds) }]
  const countEntered = () => groups.group('one').entered + groups.group('two').entered

  describe('requests', () => {
    test("a storage request is sent to the resource's process, which does not restart until the response was read", async () => {
      groups.answer = () => new Response('bytes', { status: 404, headers: { etag: '"1"' } })
      const found = await request({ method: 'PUT', body: 'hello' })
      assert.deepEqual(groups.calls, ['one enter _data', 'one leave'])
      assert.deepEqual([found.status, found.headers.get('etag'), await found.text()], [404, '"1"', 'bytes'])
      assert.deepEqual(groups.requests, [{ method: 'PUT', path: '/r2/photos?key=a+b', body: 'hello' }])
    })

    test('a storage request that waits while its resource moves is sent to the new process', async () => {
      groups.group('one').onEnter = async () => setResourceGroup(store, bucket.id, 'two')
      await request()
      assert.deepEqual(groups.calls, ['one enter _data', 'one leave', 'two enter _data', 'two leave'])
    })

    test('a storage request returns 404 when its resource was deleted while the request waited', async () => {
      groups.group('one').onEnter = async () => void store.run('DELETE FROM resources')
      assert.deepEqual(await refusal(request()), [404, 10006, {}])
      assert.deepEqual([groups.requests, countEntered()], [[], 0])
    })

    test('a storage request returns 503 when its process does not start, is overloaded, or ends during the request', async () => {
      const group = groups.group('one')
      group.onSocket = async () => {
        throw new AppUnavailableError('the app does not start', 7)
      }
      assert.deepEqual(await refusal(request()), UNAVAILABLE(7))
      group.onSocket = async () => {}
      group.onEnter = async () => {
        throw new WaitRefusedError('too many requests are waiting')
      }
      assert.deepEqual([await refusal(request()), groups.requests], [UNAVAILABLE(1), []])
      group.onEnter = async () => {}
      groups.answer = () => null
      assert.deepEqual([await refusal(request()), countEntered()], [UNAVAILABLE(1), 0])
    })

    test('an unexpected error during a storage request is rethrown unchanged, not as status 503', async () => {
      groups.group('one').onSocket = async () => {
        throw new RangeError('a fault')
      }
      await assert.rejects(request(), RangeError)
      assert.equal(countEntered(), 0)
    })
  })

  describe('moving files', () => {
    const folderOf = (group: string) => join(groups.stateDir('', group), 'r2', 'photos')
    const fill = (group: string) => {
      mkdirSync(folderOf(group), { recursive: true })
      writeFileSync(join(folderOf(group), 'value'), 'a large value')
    }
    const hasFiles = () => ['one', 'two', 'three'].filter((group) => existsSync(folderOf(group)))
    const placed = () => findResource(store, bucket.accountId, 'r2', { id: bucket.id }) ?? bucket
    const move = (sources: string[], ...to: string[]) =>
      data.moveWhileStopped(bucket.accountId, sources, (files) => {
        for (const group of to) {
          files.moveData(placed(), group)
          setResourceGroup(store, bucket.id, group)
        }
        groups.calls.push('committed')
        return 'done'
      })

    test('files of a storage resource are moved while the process that uses them is stopped', async () => {
      fill('one')
      assert.equal(await move(['one'], 'two'), 'done')
      assert.deepEqual(hasFiles(), ['two'])
      assert.deepEqual(groups.calls, ['one stopped', 'committed', 'one continued'])
    })

    test('files that move twice in one relocation of workers end up only in the last folder', async () => {
      fill('one')
      await move(['one', 'two'], 'two', 'three')
      assert.deepEqual([hasFiles(), placed().groupId], [['three'], 'three'])
    })

    test('a failed relocation of workers leaves their resource files in place, and the next relocation can move the files', async () => {
      fill('one')
      await assert.rejects(
        data.moveWhileStopped(bucket.accountId, ['one'], (files) => {
          files.moveData(bucket, 'two')
          throw new RangeError('the change failed')
        }),
        RangeError,
      )
      assert.deepEqual([hasFiles(), readdirSync(folderOf('one'))], [['one'], ['value']])
      await move(['one'], 'two')
      assert.deepEqual(hasFiles(), ['two'])
    })

    test('a relocation of workers is refused when it would move files of a running process', async () => {
      fill('one')
      assert.deepEqual(await refusal(move(['two'], 'two')), [409, 10013, {}])
      assert.deepEqual(await refusal(move([], 'two')), [409, 10013, {}])
      assert.deepEqual([hasFiles(), placed().groupId], [['one'], 'one'])
    })

    test('simultaneous relocations of workers run one after the other', async () => {
      fill('one')
      await Promise.all([move(['one'], 'two'), move(['two', 'one'], 'three')])
      assert.deepEqual(groups.calls, [
        'one stopped',
        'committed',
        'one continued',
        'two stopped',
        'one stopped',
        'committed',
        'one continued',
        'two continued',
      ])
      assert.deepEqual(hasFiles(), ['three'])
    })

    test("a resource's files are deleted only after a running restart of the resource's process has ended", async () => {
      fill('one')
      groups.group('one').waitForRestart = async () => void groups.calls.push(...hasFiles())
      await data.delete(bucket)
      assert.deepEqual([groups.calls, hasFiles()], [['one'], []])
    })
  })
})
