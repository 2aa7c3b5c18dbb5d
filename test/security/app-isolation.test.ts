import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { askApp, control, deployWorker, type TestWorld, workerUpload } from '../fidelity/world.ts'
import { Person } from '../support/client.ts'
import { watchHealth } from '../support/health-watch.ts'
import { ServiceProcess } from '../support/service.ts'
import { Watcher } from '../support/watcher.ts'
import { assertHealthy } from './hostile-world.ts'

/** Tries connections from the worker and from a Durable Object, and reports the results. */
const PROBER = `
import { DurableObject } from 'cloudflare:workers'
import { connect } from 'cloudflare:sockets'

async function tryOut(how, target) {
  try {
    if (how === 'tcp') {
      await connect(target).opened
      return 'reached'
    }
    const headers = how === 'upgrade' ? { upgrade: 'websocket' } : {}
    const answer = await fetch(target, { headers, redirect: 'follow' })
    return 'reached ' + answer.status + ' ' + (await answer.text()).slice(0, 100)
  } catch (error) {
    return 'refused: ' + error
  }
}
export class Inside extends DurableObject {
  tryOut(how, target) { return tryOut(how, target) }
}
export default {
  async fetch(request, env) {
    const { searchParams } = new URL(request.url)
    const [how, target] = [searchParams.get('how'), searchParams.get('target')]
    const outside = await tryOut(how, target)
    const inside = await env.INSIDE.getByName('one').tryOut(how, target)
    return Response.json([outside, inside])
  },
}`

/** Allocates 20 MB at a time until it is killed. */
const HUNGRY = `
export default {
  async fetch() {
    const all = []
    for (;;) {
      all.push(new Uint8Array(2e7).fill(1))
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  },
}`

const BINDINGS = {
  bindings: [{ type: 'durable_object_namespace', name: 'INSIDE', class_name: 'Inside' }],
  migrations: { new_tag: 'v1', steps: [{ new_sqlite_classes: ['Inside'] }] },
}

describe('an app of the local cloud that attacks its machine', () => {
  let service: ServiceProcess
  let world: TestWorld
  let trap: Server
  let caught = 0

  before(async () => {
    trap = createServer((socket) => {
      caught++
      socket.destroy()
    })
    await new Promise<void>((resolve) => trap.listen(0, '0.0.0.0', resolve))
    // The operator allowed loopback addresses for models. Apps must still not reach them.
    service = await ServiceProcess.start({ SLIPWAY_OUTBOUND_ALLOW: '127.0.0.0/8,localhost,::1' })
    world = {
      dir: service.dataDir,
      pid: service.pid,
      restUrl: service.localUrl,
      appsPort: Number(service.env['SLIPWAY_APPS_PORT']),
      account: { id: '', subdomain: '', token: '' },
      start: async () => void (await service.restart()),
      kill: () => service.kill(),
      stop: () => service.stop(),
      remove: () => service.dispose(),
    }
    const made = await control(world, 'POST', '/accounts', { name: 'Curious' })
    const { account, token } = made as { account: { id: string; subdomain: string }; token: string }
    world.account = { ...account, token }
    const deployed = await deployWorker(world, 'prober', workerUpload(PROBER, BINDINGS))
    assert.ok(deployed.success, JSON.stringify(deployed.errors))
  })
  after(async () => {
    trap.close()
    await service.dispose()
  })

  async function probeTarget(how: 'fetch' | 'upgrade' | 'tcp', target: string): Promise<string[]> {
    const answer = await askApp(world, 'prober', `/?how=${how}&target=${encodeURIComponent(target)}`)
    assert.equal(answer.status, 200, `${target}: ${answer.text}`)
    return JSON.parse(answer.text) as string[]
  }

  async function assertRefused(how: 'fetch' | 'upgrade' | 'tcp', target: string): Promise<void> {
    for (const said of await probeTarget(how, target)) assert.match(said, /^refused: /, `${how} ${target}`)
  }

  test('an app can send an HTTP request to the public address of another app', async () => {
    const { subdomain } = world.account
    const [said] = await probeTarget('fetch', `http://nobody.${subdomain}.localhost:${world.appsPort}/`)
    assert.match(said ?? '', /^reached 404/)
  })

  test("an app cannot reach the service, the cloud's API or the internal port of the apps by IP address", async () => {
    const ports = [
      Number(service.env['SLIPWAY_PORT']),
      Number(service.env['SLIPWAY_LOCAL_PORT']),
      world.appsPort,
    ]
    for (const port of ports)
      for (const host of [
        '127.0.0.1',
        'localhost',
        '[::1]',
        '2130706433',
        '127.1',
        '0.0.0.0',
        'localhost.',
      ]) {
        await assertRefused('fetch', `http://${host}:${port}/health`)
        if (!host.startsWith('[')) await assertRefused('tcp', `${host}:${port}`)
      }
    await assertRefused('upgrade', `http://127.0.0.1:${ports[0]}/`)
    await assertRefused('fetch', `http://service.localhost:${ports[0]}/health`)
  })

  test('an app cannot connect to the database of the service', async () => {
    const lines = readFileSync(join(service.dataDir, 'postgres/18/postmaster.pid'), 'utf8').split('\n')
    await assertRefused('tcp', `127.0.0.1:${lines[3]}`)
    await assertRefused('tcp', `localhost:${lines[3]}`)
  })

  test('while an app is killed because it fills its memory, /health responds and another organization can build', async () => {
    const deployed = await deployWorker(world, 'hungry', workerUpload(HUNGRY))
    assert.ok(deployed.success, JSON.stringify(deployed.errors))
    const ann = await Person.signUp(service.url)
    const project = await ann.call<{ id: string }>('POST /projects', {})
    const tickets = `/projects/${project.id}/tickets`
    const text = 'Track the plants in my office: name, room'
    const ticket = await ann.call<{ id: string }>(`POST ${tickets}/capture`, { text })
    const watch = watchHealth({ url: service.url, pid: service.pid })
    const watcher = new Watcher(ann, `${tickets}/${ticket.id}`)
    const [answer] = await Promise.all([askApp(world, 'hungry', '/'), watcher.read()])
    assertHealthy(await watch.stop())
    assert.equal(answer.status, 503)
    assert.equal(watcher.frames.at(-1)?.['status'], 'built')
  })

  test('no server on the machine gets a connection from an app, in whatever notation the app writes the IP address', async () => {
    const { port } = trap.address() as AddressInfo
    const addresses = Object.values(networkInterfaces())
      .flatMap((found) => found ?? [])
      .filter(({ family }) => family === 'IPv4')
      .map(({ address }) => address)
    const spellings = [
      '0',
      '0x7f.1',
      '0177.0.0.1',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::]',
      '127.0.0.1.',
    ]
    for (const host of [...spellings, ...addresses]) {
      await assertRefused('fetch', `http://${host}:${port}/`)
      if (!host.startsWith('[')) await assertRefused('tcp', `${host}:${port}`)
      assert.equal(caught, 0, `${host} was connected to`)
    }
    // Connections are accepted in order: when this connection has been counted, all earlier connections have been too.
    const own = connect(port, '127.0.0.1').resume()
    await once(own, 'close')
    assert.equal(caught, 1, 'somebody was connected to')
  })
})
