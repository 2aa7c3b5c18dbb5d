import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testCloud, type TestCloud, uploadForm } from '../../../testing/cloud.ts'
import { silentLog } from '../../../world/log.ts'
import { findScript } from '../../store/scripts.ts'
import { replaceSchedules } from './schedules.ts'
import { CronScheduler } from './scheduler.ts'

const parseTime = (text: string) => Date.parse(text)

describe('the cron scheduler', () => {
  let cloud: TestCloud
  let now = parseTime('2026-11-20T12:00:30Z')
  let fired: string[]
  let cronScheduler: CronScheduler

  before(async () => {
    cloud = testCloud()
    await cloud.call('PUT', '/A/workers/scripts/shop', uploadForm('export default { scheduled() {} }'))
    replaceSchedules(cloud.store, scriptId(), ['* * * * *', '*/5 * * * *'], now)
  })
  after(() => {
    cronScheduler.close()
    cloud.close()
  })
  const scriptId = () => findScript(cloud.store, cloud.accountId, 'shop')?.id ?? ''
  const startTicker = () => {
    fired = []
    cronScheduler = new CronScheduler({
      store: cloud.store,
      now: () => now,
      log: silentLog,
      fire: async (_script, { cron, scheduledTime }) => {
        fired.push(`${cron} ${new Date(scheduledTime).toISOString().slice(11, 16)}`)
        return 'ok'
      },
    })
    cronScheduler.start()
  }

  test('each cron trigger fires once in its minute', () => {
    startTicker()
    assert.deepEqual(fired, [])
    now = parseTime('2026-11-20T12:01:00Z')
    cronScheduler.check()
    cronScheduler.check()
    assert.deepEqual(fired, ['* * * * * 12:01'])
  })

  test('advancing the clock fires the cron triggers that were due in between', () => {
    now = parseTime('2026-11-20T12:05:10Z')
    cronScheduler.fireDueTicks()
    assert.deepEqual(fired.slice(1), [
      '* * * * * 12:02',
      '* * * * * 12:03',
      '* * * * * 12:04',
      '* * * * * 12:05',
      '*/5 * * * * 12:05',
    ])
  })

  test('cron triggers that were due while the machine slept or the local cloud was not running are skipped', () => {
    fired = []
    now = parseTime('2026-11-20T13:00:10Z')
    cronScheduler.check()
    assert.deepEqual(fired, ['* * * * * 13:00', '*/5 * * * * 13:00'])
    cronScheduler.close()
    now = parseTime('2026-11-20T14:00:00Z')
    startTicker()
    assert.deepEqual(fired, [])
  })

  test("more cron triggers than the account's plan allows, and a malformed one, are refused", async () => {
    const putSchedules = (crons: string[]) =>
      cloud.call(
        'PUT',
        '/A/workers/scripts/shop/schedules',
        crons.map((cron) => ({ cron })),
      )
    assert.equal((await putSchedules(['often'])).errors[0]?.code, 10_100)
    cloud.store.run(`UPDATE accounts SET plan = 'free'`)
    const six = ['0', '1', '2', '3', '4', '5'].map((minute) => `${minute} * * * *`)
    assert.equal((await putSchedules(six)).errors[0]?.code, 10_072)
    assert.equal((await putSchedules(six.slice(1))).status, 200)
    const { result } = await cloud.call('GET', '/A/workers/scripts/shop/schedules')
    const { schedules } = result as { schedules: { cron: string; created_on: string }[] }
    assert.deepEqual(
      schedules.map(({ cron }) => cron),
      six.slice(1),
    )
  })
})
