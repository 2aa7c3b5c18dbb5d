import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { askApp, deployWorker, startTestWorld, type TestWorld, workerUpload } from './world.ts'

const SOURCE = `
import { waitUntil } from 'cloudflare:workers'
const routes = {
  '/point': async (request, env) => {
    for (let i = 0; i < 50; i++) waitUntil(env.EVENTS.writeDataPoint({ indexes: ['sale'], blobs: ['sale', 'eu'], doubles: [i] }))
    return Response.json('written')
  },
  '/many': async (request, env) => Response.json(await env.EVENTS.writeDataPoint({ blobs: Array(21).fill('x') })),
}
export default {
  async fetch(request, env) {
    try {
      return await routes[new URL(request.url).pathname](request, env)
    } catch (error) {
      return Response.json({ error: error.message }, { status: 500 })
    }
  },
}`

describe('products a worker is bound to', () => {
  let world: TestWorld
  before(async () => {
    world = await startTestWorld()
    const bindings = [{ type: 'analytics_engine', name: 'EVENTS', dataset: 'shop_events' }]
    const answer = await deployWorker(world, 'shop', workerUpload(SOURCE, { bindings }))
    assert.ok(answer.success, JSON.stringify(answer.errors))
  })
  after(() => world.remove())

  const ask = async (path: string) => {
    const { text } = await askApp(world, 'shop', path)
    return JSON.parse(text) as unknown
  }
  const call = (path: string, init: RequestInit) =>
    fetch(`${world.restUrl}/cloudflare/client/v4/accounts/${world.account.id}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${world.account.token}` },
    })

  test('Analytics Engine: points that are waited for arrive, and SQL reads them', async () => {
    assert.equal(await ask('/point'), 'written')
    const sql = `SELECT index1 AS name, sum(_sample_interval) AS n, max(double1) AS most FROM shop_events
      WHERE timestamp > NOW() - INTERVAL '1' DAY GROUP BY name`
    const read = async () => {
      const answer = await call('/analytics_engine/sql', { method: 'POST', body: sql })
      return answer.ok ? ((await answer.json()) as { data: { n: string }[] }).data : []
    }
    // The answer to the browser does not wait for them.
    await until(async () => (await read())[0]?.n === '50')
    assert.deepEqual(await read(), [{ name: 'sale', n: '50', most: 49 }])
    assert.match(JSON.stringify(await ask('/many')), /at most 20 blobs/)
    const wrong = await call('/analytics_engine/sql', { method: 'POST', body: 'SELECT' })
    assert.equal(wrong.status, 400)
    assert.match(await wrong.text(), /at position 6/)
  })
})

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 15_000
  while (!(await isDone())) {
    assert.ok(performance.now() < deadline, 'did not happen in time')
    await sleep(50)
  }
}
