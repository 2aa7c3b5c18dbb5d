import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { askApp, deployWorker, startTestWorld, type TestWorld, workerdOf, workerUpload } from './world.ts'

const RUNAWAY = `
const kept = []
export default {
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === '/spin') for (;;);
    if (pathname === '/eat') for (let n = 0; n < 60; n++) kept.push(new Uint8Array(10_000_000).fill(n))
    return new Response(String(kept.length))
  },
}`

let world: TestWorld

describe('apps that run away', () => {
  before(async () => {
    world = await startTestWorld({ SLIPWAY_LOCAL_SPIN_SECONDS: '1' })
    await deployWorker(world, 'runaway', workerUpload(RUNAWAY))
    await deployWorker(
      world,
      'neighbour',
      workerUpload(`export default { fetch: () => new Response('fine') }`),
    )
  })
  after(() => world.remove())

  test('an endless loop is ended with 503, is not sent again, and the neighbour never notices', async () => {
    assert.equal((await askApp(world, 'neighbour', '/')).text, 'fine')
    const spinning = askApp(world, 'runaway', '/spin')
    const over = new AbortController()
    void spinning.finally(() => over.abort())
    while (!over.signal.aborted) {
      assert.equal((await askApp(world, 'neighbour', '/')).text, 'fine')
      await sleep(500)
    }
    const { status, text } = await spinning
    assert.equal(status, 503)
    assert.match(text, /exceeded its CPU time/)
    assert.equal((await askApp(world, 'runaway', '/')).text, '0')
  })

  test('an app that grows past its memory is started afresh', async () => {
    assert.equal((await askApp(world, 'runaway', '/eat')).text, '60')
    const deadline = performance.now() + 30_000
    while ((await askApp(world, 'runaway', '/')).text !== '0') {
      assert.ok(performance.now() < deadline, 'it still holds its memory')
      await sleep(500)
    }
  })

  test('a script that does not start is refused with what is wrong, and leaves no process behind', async () => {
    const before = workerdOf(world)
    const problemOf = async (source: string, metadata: object = {}) => {
      const { status, errors } = await deployWorker(world, 'wrong', workerUpload(source, metadata))
      assert.deepEqual([status, errors[0]?.code], [400, 10021])
      return errors[0]?.message ?? ''
    }
    assert.match(await problemOf('for (;;); export default { fetch() {} }'), /exceeded CPU time/)
    assert.match(
      await problemOf('export default { fetch( '),
      /SyntaxError: Unexpected end of input\n.*\/\/\/index\.js:/,
    )
    assert.match(
      await problemOf(`import x from './nope.js'; export default { fetch() {} }`),
      /No such module "nope\.js"/,
    )
    assert.match(await problemOf(`await fetch('http://example.com'); export default {}`), /global scope/)
    const bindings = [{ type: 'service', name: 'S', service: 'neighbour', entrypoint: 'Nope' }]
    assert.match(await problemOf('export default { fetch() {} }', { bindings }), /no such named entrypoint/)
    assert.deepEqual(
      workerdOf(world).filter((pid) => !before.includes(pid)),
      [],
    )
    assert.equal((await askApp(world, 'neighbour', '/')).text, 'fine')
  })
})
