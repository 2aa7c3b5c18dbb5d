import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  askApp,
  deployWorker,
  countAppStarts,
  startTestWorld,
  type TestWorld,
  workerdOf,
  workerUpload,
} from './world.ts'
import { waitUntil } from '../support/wait-until.ts'

const REMINDER = `
import { DurableObject } from 'cloudflare:workers'
export class Reminder extends DurableObject {
  async remind(ms) { await this.ctx.storage.setAlarm(Date.now() + ms) }
  async alarm() { await this.ctx.storage.put('rangAt', Date.now()) }
  async rangAt() { return (await this.ctx.storage.get('rangAt')) ?? 0 }
}
export default {
  async fetch(request, env) {
    const reminder = env.REMINDER.getByName('one')
    const { searchParams } = new URL(request.url)
    if (searchParams.has('ms')) await reminder.remind(Number(searchParams.get('ms')))
    return new Response(String(await reminder.rangAt()))
  },
}`
const METADATA = {
  bindings: [{ type: 'durable_object_namespace', name: 'REMINDER', class_name: 'Reminder' }],
  migrations: { new_tag: 'v1', new_sqlite_classes: ['Reminder'] },
}

let world: TestWorld
const isRunning = () => workerdOf(world).length > 0

describe('idle apps', () => {
  before(async () => {
    world = await startTestWorld({ SLIPWAY_LOCAL_IDLE_MINUTES: '0.01' })
    await deployWorker(world, 'reminder', workerUpload(REMINDER, METADATA))
  })
  after(() => world.remove())

  test('an idle app is stopped, and the next request starts it', async () => {
    assert.equal((await askApp(world, 'reminder', '/')).text, '0')
    await waitUntil(() => !isRunning())
    assert.equal((await askApp(world, 'reminder', '/')).text, '0')
  })

  test('an idle app with an alarm due soon keeps running until the alarm has fired', async () => {
    await askApp(world, 'reminder', '/?ms=1500')
    await waitUntil(() => !isRunning())
    const stoppedAt = Date.now()
    const rangAt = Number((await askApp(world, 'reminder', '/')).text)
    assert.ok(rangAt > 0 && rangAt <= stoppedAt, 'it rang before the app was stopped')
  })

  test('an alarm that came due while the machine was off fires at the next start, without a request', async () => {
    const rangBefore = Number((await askApp(world, 'reminder', '/?ms=3000')).text)
    await world.kill()
    await sleep(3000)
    const startedAt = Date.now()
    await world.start()
    await waitUntil(async () => (await countAppStarts(world)) > 0)
    await waitUntil(() => !isRunning())
    const rangAt = Number((await askApp(world, 'reminder', '/')).text)
    assert.ok(rangAt >= startedAt && rangAt > rangBefore)
  })
})
