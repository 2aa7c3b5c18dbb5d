import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { testCloud, type TestCloud, uploadForm } from '../../testing/cloud.ts'
import { findScript, listNamespaces } from '../store/scripts.ts'
import type { Script } from '../types.ts'
import { Apps } from './apps.ts'
import { openWorkerGroups } from './testing.ts'
import { AppUnavailableError, WaitRefusedError } from '../workerd/groups.ts'

const MINUTE_MS = 60_000
const START = Date.parse('2026-06-01T10:00:00Z')
const WITH_BOX = 'export class Box {}\nexport default { fetch() {} }'
const NEW_BOX = { migrations: { new_tag: 'v1', new_sqlite_classes: ['Box'] } }

describe('the processes of all apps', () => {
  let cloud: TestCloud
  let groups: Awaited<ReturnType<typeof openWorkerGroups>>
  let apps: Apps
  let script: Script
  let warnings: string[]
  beforeEach(async () => {
    cloud = testCloud()
    groups = await openWorkerGroups()
    warnings = []
    apps = new Apps({
      store: cloud.store,
      blobs: cloud.blobs,
      dir: groups.dir,
      workerd: { path: '', guard: '', account: null, socketFolder: '' },
      appsPort: 0,
      egressAllow: [],
      standIns: new Map(),
      maxWarm: null,
      idleMs: 3_600_000,
      spinCpuSeconds: 30,
      workflowWakeMs: MINUTE_MS,
      tails: cloud.tails,
      rpcHandlers: {},
      hasWorkDueWithin: () => false,
      log: { info: () => {}, warn: (message) => void warnings.push(message) },
    })
    apps.group = (id) => groups.apps.group(id)
    await cloud.call('PUT', '/A/workers/scripts/shop', uploadForm(WITH_BOX, NEW_BOX))
    script = findScript(cloud.store, cloud.accountId, 'shop') ?? assert.fail('no script')
    groups.answer = () => new Response('ok')
  })
  afterEach(async () => {
    mock.timers.reset()
    await apps.close(0)
    groups.close()
    cloud.close()
  })

  const group = () => groups.group(script.groupId)
  const fail = (error: Error) => async () => {
    throw error
  }
  /** Waits until all pending promise callbacks have run. */
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

  describe('alarms of apps that are not running', () => {
    const PING = () => [`${script.groupId} enter _ping`, `${script.groupId} leave`]
    const setAlarm = (at: number) => {
      const folder = join(apps.stateDir(cloud.accountId, script.groupId), 'do', 'box')
      mkdirSync(folder, { recursive: true })
      const db = new DatabaseSync(join(folder, 'metadata.sqlite'))
      db.exec('CREATE TABLE _cf_ALARM (scheduled_time INTEGER)')
      db.prepare('INSERT INTO _cf_ALARM VALUES (?)').run(BigInt(at) * 1_000_000n)
      db.close()
    }
    const schedule = (alarmAt: number) => {
      setAlarm(alarmAt)
      mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START })
      apps.scheduleWakes()
    }
    const pass = async (ms: number) => {
      mock.timers.tick(ms)
      await settle()
    }

    test('an app is started when its alarm is due, or immediately when the alarm was due while the local cloud was stopped', async () => {
      schedule(START + MINUTE_MS)
      await pass(MINUTE_MS - 1)
      assert.deepEqual(groups.calls, [])
      await pass(1)
      assert.deepEqual(groups.calls, PING())
      groups.calls.length = 0
      mock.timers.reset()
      mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START + 2 * MINUTE_MS })
      apps.scheduleWakes()
      await pass(1)
      assert.deepEqual(groups.calls, PING())
    })

    test('an app without data or without an alarm is not started', async () => {
      mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START })
      apps.scheduleWakes()
      mkdirSync(apps.stateDir(cloud.accountId, script.groupId), { recursive: true })
      apps.scheduleWakes()
      await pass(365 * 24 * 60 * MINUTE_MS)
      assert.deepEqual(groups.calls, [])
    })

    test('when an app cannot be started for its alarm, the start is retried every five minutes', async () => {
      group().onSocket = fail(new AppUnavailableError('the app does not start', 1))
      schedule(START)
      await pass(1)
      assert.deepEqual([warnings, group().entered], [['an app could not be woken for its alarm'], 0])
      group().onEnter = fail(new WaitRefusedError('too many requests are waiting'))
      await pass(5 * MINUTE_MS)
      assert.equal(warnings.length, 2)
      group().onSocket = async () => {}
      group().onEnter = async () => {}
      groups.calls.length = 0
      await pass(5 * MINUTE_MS)
      assert.deepEqual([groups.calls, warnings.length], [PING(), 2])
      await pass(60 * MINUTE_MS)
      assert.equal(groups.calls.length, 2)
    })

    test('an app that was deleted is not started for its alarm', async () => {
      schedule(START + MINUTE_MS)
      cloud.store.run('DELETE FROM scripts')
      cloud.store.run('DELETE FROM groups')
      await apps.remove(cloud.accountId, script.groupId)
      await pass(MINUTE_MS)
      assert.deepEqual(
        [groups.calls, existsSync(apps.stateDir(cloud.accountId, script.groupId))],
        [[], false],
      )
    })
  })

  describe('tail sessions', () => {
    const listen = async () => {
      cloud.tails.create({ accountId: cloud.accountId, script: 'shop', filters: [] })
      await apps.listen(script)
    }
    const observe = async (observability: object) => {
      await cloud.call('PATCH', '/A/workers/scripts/shop/script-settings', { observability })
      script = findScript(cloud.store, cloud.accountId, 'shop') ?? script
    }

    test('an app process that reports invocations is told which workers have a tail session', async () => {
      await observe({ enabled: true })
      await listen()
      assert.deepEqual(groups.requests, [{ method: 'POST', path: '/', body: '["shop"]' }])
      assert.deepEqual(groups.calls, [`${script.groupId} enter _tail`, `${script.groupId} leave`])
    })

    test('opening a tail session causes no error when the app process is stopped, cannot start or ends meanwhile', async () => {
      await observe({ enabled: true })
      group().isWarm = false
      await listen()
      assert.deepEqual(groups.calls, [])
      group().isWarm = true
      for (const error of [
        new AppUnavailableError('the app does not start', 1),
        new WaitRefusedError('too many'),
      ]) {
        group().onSocket = fail(error)
        await listen()
        group().onEnter = fail(error)
        await listen()
        group().onEnter = async () => {}
      }
      group().onSocket = async () => {}
      groups.answer = () => null
      await listen()
      assert.equal(group().entered, 0)
    })
  })

  describe('data of Durable Objects', () => {
    const folderOf = (id: string) => join(apps.stateDir(cloud.accountId, script.groupId), 'do', id)
    const fill = (id: string, ...names: string[]) => {
      mkdirSync(folderOf(id), { recursive: true })
      for (const name of names) writeFileSync(join(folderOf(id), name), '')
    }
    const namespace = () => listNamespaces(cloud.store, script.id)[0] ?? assert.fail('no namespace')

    test('the Durable Objects with stored data are listed, and other files in the folder are ignored', () => {
      assert.deepEqual(apps.listObjects(script, namespace()), [])
      const [one, two] = ['1'.repeat(64), 'a'.repeat(64)]
      fill(
        namespace().id,
        `${one}.sqlite`,
        `${one}.sqlite-wal`,
        `${two}.sqlite`,
        'metadata.sqlite',
        'x.sqlite',
      )
      assert.deepEqual(apps.listObjects(script, namespace()).sort(), [one, two])
    })

    test('removing a Durable Object class deletes only the data of that class', async () => {
      fill('removed', 'a')
      fill('kept', 'b')
      await apps.deleteObjectData(script, ['removed', 'never-used'])
      assert.deepEqual([existsSync(folderOf('removed')), existsSync(folderOf('kept'))], [false, true])
    })
  })
})
