import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { testCloud, uploadForm } from '../testing/cloud.ts'
import { listAccount, processControl } from './apps.ts'

describe('controlling app processes', () => {
  const cloud = testCloud()
  /** The calls that the only group of apps has received, in order; `group` is the state of its process. */
  const asked: string[] = []
  let group: { pid: number | null; isWarm: boolean } = { pid: null, isWarm: false }
  const app = processControl({
    ...cloud,
    apps: {
      ...cloud.apps,
      group: () =>
        ({
          ...group,
          stop: async () => void asked.push('stop'),
          evict: async (namespaceId: string, id: string) => void asked.push(`evict ${namespaceId} ${id}`),
        }) as unknown as ReturnType<typeof cloud.apps.group>,
      listObjects: () => ['one', 'two'],
    },
  })
  before(async () => {
    const migrations = { new_tag: 'v1', new_sqlite_classes: ['Room'] }
    const form = uploadForm('export default { fetch() {} }; export class Room {}', { migrations })
    await cloud.call('PUT', '/A/workers/scripts/shop', form)
  })
  after(() => cloud.close())

  const send = async (action: string, script = 'shop', body: object = { account: cloud.accountId }) => {
    asked.length = 0
    const answer = await app.request(`/apps/${script}/${action}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    return [await answer.json(), [...asked]]
  }

  test('the control API kills the process of a running app, and does nothing for an app without a process', async () => {
    group = { pid: null, isWarm: false }
    assert.deepEqual(await send('kill'), [{ pid: null }, []])
    const child = spawn('sleep', ['600'])
    group = { pid: child.pid ?? null, isWarm: true }
    assert.deepEqual(await send('kill'), [{ pid: child.pid }, []])
    assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL'])
  })

  test('stopping an app by the control API ends its process, and succeeds even when the app is not running', async () => {
    group = { pid: null, isWarm: false }
    const cold = await send('stop')
    group = { pid: null, isWarm: true }
    assert.deepEqual(
      [cold, await send('stop')],
      [
        [{ stopped: true }, []],
        [{ stopped: true }, ['stop']],
      ],
    )
  })

  test('the control API can evict every Durable Object of every class of an app', async () => {
    const { namespaces } = listAccount(cloud, cloud.accountId) as { namespaces: { id: string }[] }
    const [{ id } = { id: '' }] = namespaces
    assert.deepEqual(await send('evict'), [{ evicted: 2 }, [`evict ${id} one`, `evict ${id} two`]])
  })

  test('killing, stopping or evicting an unknown app or an app of another account does nothing', async () => {
    // No process has this id, because it is above the largest process id on Linux.
    group = { pid: 2 ** 22 + 1, isWarm: true }
    const other = { account: 'f'.repeat(32) }
    assert.deepEqual(
      [
        await send('kill', 'none'),
        await send('stop', 'none'),
        await send('evict', 'none'),
        await send('kill', 'shop', other),
        await send('evict', 'shop', other),
      ],
      [
        [{ pid: null }, []],
        [{ stopped: false }, []],
        [{ evicted: 0 }, []],
        [{ pid: null }, []],
        [{ evicted: 0 }, []],
      ],
    )
  })

  test("the control API lists an account's resources by kind, without other accounts' resources", () => {
    const { workers, namespaces, zones, ...rest } = listAccount(cloud, cloud.accountId) as Record<
      string,
      object[]
    >
    const empty = {
      domains: [],
      buckets: [],
      kvNamespaces: [],
      databases: [],
      queues: [],
      workflows: [],
      schedules: [],
    }
    assert.deepEqual(
      [
        workers?.map((worker) => ({ ...worker, version: null })),
        namespaces?.map((namespace) => ({ ...namespace, id: '' })),
        zones?.map((zone) => (zone as { name: string }).name),
        rest,
      ],
      [
        [{ name: 'shop', version: null, isOnSubdomain: false }],
        [{ id: '', script: 'shop', className: 'Room' }],
        ['acme-demo.localhost', 'acme-new.localhost'],
        empty,
      ],
    )
    assert.deepEqual(listAccount(cloud, 'f'.repeat(32)), { workers: [], namespaces: [], zones: [], ...empty })
  })
})
