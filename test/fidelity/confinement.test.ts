import assert from 'node:assert/strict'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { isOpenToAll } from '../../server/testing/open-to-all.ts'
import {
  api,
  askApp,
  deployWorker,
  startTestWorld,
  type TestWorld,
  workerdOf,
  workerUpload,
} from './world.ts'
import { waitUntil } from '../support/wait-until.ts'

const SOURCE = `
export default {
  async fetch(request, env) {
    await env.KV.put('seen', 'kept')
    return new Response(await env.KV.get('seen'))
  },
}`

/** Returns the TCP ports on which a process listens, from /proc. */
function portsOf(pid: number): number[] {
  const inodes = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1]
    } catch {
      return undefined
    }
  })
  const rows = ['tcp', 'tcp6'].flatMap((family) => readFileSync(`/proc/net/${family}`, 'utf8').split('\n'))
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && inodes.includes(inode))
    .map(([, address = '']) => parseInt(address.split(':').at(-1) ?? '', 16))
}

/** Sends a request to a local port with another site's host name, as that site's pages could do by DNS rebinding. Returns the status. */
function statusOf(port: number, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path, headers: { host: 'evil.test' } }, (res) => {
      res.resume()
      res.on('end', () => resolve(res.statusCode ?? 0))
    })
    asked.on('error', reject)
    asked.setTimeout(10_000, () => asked.destroy(new Error(`${port} gives no answer to ${path}`)))
    asked.end()
  })
}

function statusLine(pid: number, field: string): string[] {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${field}:`))
  return line?.split(/\s+/).slice(1) ?? []
}

describe('the processes of apps', () => {
  let world: TestWorld
  let namespaceId: string
  before(async () => {
    world = await startTestWorld()
    const { result } = await api(world, 'POST', '/storage/kv/namespaces', { title: 'notes' })
    namespaceId = (result as { id: string }).id
    const bindings = [{ type: 'kv_namespace', name: 'KV', namespace_id: namespaceId }]
    await deployWorker(world, 'keeper', workerUpload(SOURCE, { bindings }))
  })
  after(() => world.remove())

  test('no port of the local Cloudflare emulator serves a request whose Host header names another site', async () => {
    assert.equal((await askApp(world, 'keeper', '/')).text, 'kept')
    const pids = workerdOf(world)
    assert.equal(pids.length, 1)
    const ports = [world.pid, ...pids].flatMap(portsOf)
    assert.ok(ports.length >= 3, 'the REST API, the apps and what Miniflare opens were found')
    for (const port of ports) {
      for (const path of ['/', '/spin', `/kv/${namespaceId}?key=seen`, `/evict/${namespaceId}/a`]) {
        const status = await statusOf(port, path)
        assert.ok(status >= 400, `port ${port} answers ${status} to ${path}`)
      }
    }
    assert.equal((await askApp(world, 'keeper', '/')).text, 'kept')
    assert.deepEqual(workerdOf(world), pids, 'it is the same process')
  })

  test('a service with root rights runs apps under an account without them, if that account can run Node, else under its own', async () => {
    await askApp(world, 'keeper', '/')
    const [pid] = workerdOf(world)
    assert.ok(pid !== undefined)
    const ids = [...statusLine(pid, 'Uid'), ...statusLine(pid, 'Gid')].map(Number)
    // App processes use the service's account when that is not root, or when no other account can execute Node.
    if (process.getuid?.() !== 0 || !isOpenToAll(process.execPath)) {
      assert.ok(ids.slice(0, 4).every((id) => id === process.getuid?.()))
      return
    }
    assert.ok(ids.length === 8 && !ids.includes(0), ids.join())
    assert.deepEqual(statusLine(pid, 'Groups'), [''])
    assert.deepEqual(statusLine(pid, 'CapEff'), ['0000000000000000'])
    assert.deepEqual(statusLine(pid, 'NoNewPrivs'), ['1'])
  })

  test('the processes of apps end when the local Cloudflare emulator is killed, and their data is kept', async () => {
    await askApp(world, 'keeper', '/')
    const pids = workerdOf(world)
    assert.equal(pids.length, 1)
    await world.kill()
    await waitUntil(() => workerdOf(world).length === 0)
    await world.start()
    const { result } = await api(world, 'GET', `/storage/kv/namespaces/${namespaceId}/keys`)
    assert.deepEqual(
      (result as { name: string }[]).map(({ name }) => name),
      ['seen'],
    )
    assert.equal((await askApp(world, 'keeper', '/')).text, 'kept')
  })
})
