import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { askApp, deployWorker, startTestWorld, type TestWorld, workerdOf, workerUpload } from './world.ts'

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
async function until(isDone: () => boolean): Promise<void> {
  const deadline = performance.now() + 15_000
  while (!isDone()) {
    assert.ok(performance.now() < deadline, 'did not happen in time')
    await sleep(20)
  }
}

describe('apps nobody uses', () => {
  before(async () => {
    world = await startTestWorld({ SLIPWAY_LOCAL_IDLE_MINUTES: '0.01' })
    await deployWorker(world, 'reminder', workerUpload(REMINDER, METADATA))
  })
  after(() => world.remove())

  test('an app nobody uses is stopped, and the next request starts it again', async () => {
    assert.equal((await askApp(world, 'reminder', '/')).text, '0')
    await until(() => workerdOf(world).length === 0)
    assert.equal((await askApp(world, 'reminder', '/')).text, '0')
  })

  test('an app with an alarm soon stays, and the alarm rings', async () => {
    await askApp(world, 'reminder', '/?ms=1500')
    await sleep(1200)
    assert.equal(workerdOf(world).length, 1)
    await until(() => workerdOf(world).length === 0)
    assert.ok(Number((await askApp(world, 'reminder', '/')).text) > 0)
  })

  test('an alarm that came due while the machine was off rings at the next start, without a request', async () => {
    const rangBefore = Number((await askApp(world, 'reminder', '/?ms=300')).text)
    await world.kill()
    await sleep(300)
    const startedAt = Date.now()
    await world.start()
    await until(() => workerdOf(world).length === 1)
    await until(() => workerdOf(world).length === 0)
    const rangAt = Number((await askApp(world, 'reminder', '/')).text)
    assert.ok(rangAt >= startedAt && rangAt > rangBefore)
  })
})
