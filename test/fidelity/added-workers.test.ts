import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { api, askApp, deployWorker, startTestWorld, type TestWorld, workerUpload } from './world.ts'

/** A worker that responds with the number of its calls since its process started, which shows whether it was restarted. */
const COUNTING = `
let calls = 0
export default { fetch: () => new Response(String(++calls)) }`

const CALLING = `export default { fetch: (request, env) => env.SHOP.fetch(request) }`

let world: TestWorld
const fetchText = async (worker: string) => (await askApp(world, worker, '/')).text
const bindTo = (service: string) => ({ bindings: [{ type: 'service', name: 'SHOP', service }] })

describe('a worker that is added to a running app', () => {
  before(async () => {
    world = await startTestWorld()
    await deployWorker(world, 'shop', workerUpload(COUNTING))
  })
  after(() => world.remove())

  test('adding a worker to an app restarts the running app only when the new worker is called for the first time', async () => {
    assert.equal(await fetchText('shop'), '1')
    await deployWorker(world, 'shop-admin', workerUpload(CALLING, bindTo('shop')))
    assert.equal(await fetchText('shop'), '2')
    assert.equal(await fetchText('shop-admin'), '1')
    assert.equal(await fetchText('shop'), '2')
  })

  test('a worker added to an app serves requests that arrive while the app is starting', async () => {
    await deployWorker(world, 'mall', workerUpload(COUNTING))
    const first = fetchText('mall')
    await deployWorker(world, 'mall-admin', workerUpload(CALLING, bindTo('mall')))
    const answers = await Promise.all([first, ...Array.from({ length: 5 }, () => fetchText('mall-admin'))])
    assert.deepEqual(
      answers.filter((answer) => !/^\d$/.test(answer)),
      [],
    )
  })

  test('adding a worker restarts the app immediately when a running worker already has a service binding to it', async () => {
    await deployWorker(world, 'kiosk-admin', workerUpload(COUNTING))
    const bound = workerUpload(
      `export default { fetch: (request, env) => env.SHOP.fetch(request) }`,
      bindTo('kiosk-admin'),
    )
    await deployWorker(world, 'kiosk', bound)
    assert.equal(await fetchText('kiosk'), '1')
    await api(world, 'DELETE', '/workers/scripts/kiosk-admin?force=true')
    await deployWorker(world, 'kiosk-admin', workerUpload(COUNTING))
    assert.equal(await fetchText('kiosk'), '1')
  })

  test('changing a running worker restarts the whole app, including the worker that was added', async () => {
    await deployWorker(world, 'shop', workerUpload(COUNTING.replace('++calls', "'new ' + ++calls")))
    assert.equal(await fetchText('shop'), 'new 1')
    assert.equal(await fetchText('shop-admin'), 'new 2')
  })
})
