import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError } from '../config.ts'
import { type LocalWorld, PortTakenError, startLocalWorld } from './local-world.ts'
import { silentLog } from '../testing/database.ts'
import { freePorts } from '../testing/ports.ts'
import { isGone } from '../testing/processes.ts'
import { undoAfter } from '../testing/undo.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'slipway-local-world-'))
const options = { dataDir, port: 0, appsPort: 0, control: true, log: silentLog }
let world: LocalWorld

const readWorldFile = (dir = dataDir) =>
  JSON.parse(readFileSync(join(dir, 'local', 'world.json'), 'utf8')) as { pid: number }

async function waitUntil(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!(await isDone())) {
    assert.ok(performance.now() < deadline, 'did not happen in time')
    await sleep(20)
  }
}

const isAnswering = (at: LocalWorld) =>
  fetch(`${at.restUrl}/_control/ready`, { headers: { authorization: `Bearer ${at.controlToken}` } }).then(
    (response) => response.ok,
    () => false,
  )

describe("a service's local world", () => {
  const kept = process.env['DATABASE_URL']
  before(async () => {
    process.env['DATABASE_URL'] = 'postgres://nobody@nowhere/none'
    world = await startLocalWorld(options)
  })
  after(async () => {
    if (kept === undefined) delete process.env['DATABASE_URL']
    else process.env['DATABASE_URL'] = kept
    await world.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('the local emulators of cloud providers respond, and their control routes refuse a request without a token', async () => {
    assert.equal(await isAnswering(world), true)
    assert.equal((await fetch(`${world.restUrl}/_control/ready`)).status, 401)
    const models = (await (await fetch(`${world.restUrl}/model/v1/models`)).json()) as {
      data: { id: string }[]
    }
    assert.ok(models.data.some((model) => model.id === 'scaffold-1'))
  })

  test(
    'no environment variable of the service is passed to the process of the local provider emulators',
    { skip: !existsSync('/proc') },
    () => {
      const environment = readFileSync(`/proc/${readWorldFile().pid}/environ`, 'utf8')
      assert.match(environment, /SLIPWAY_DATA_DIR/)
      assert.doesNotMatch(environment, /DATABASE_URL|SLIPWAY_SECRETS/)
    },
  )

  test('a second process on the same data directory uses the local provider emulators that already run', async () => {
    const second = await startLocalWorld(options)
    assert.deepEqual([second.restUrl, second.appsPort], [world.restUrl, world.appsPort])
    await second.stop()
    assert.equal(await isAnswering(world), true)
  })

  test('local provider emulators whose process dies are restarted at the same addresses', async () => {
    const { pid } = readWorldFile()
    process.kill(pid, 'SIGKILL')
    await waitUntil(async () => readWorldFile().pid !== pid && (await isAnswering(world)))
  })

  test('kill -9 of the service also ends its local provider emulators, and a new process can start them again', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'slipway-service-'))
    const source = `
    import { startLocalWorld } from ${JSON.stringify(new URL('./local-world.ts', import.meta.url).href)}
    const log = { info() {}, warn() {}, error() {} }
    await startLocalWorld({ dataDir: ${JSON.stringify(dir)}, port: 0, appsPort: 0, control: true, log })
    process.stdout.write('ready')`
    const service = spawn(process.execPath, ['--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise((resolve) => service.stdout.once('data', resolve))
    const { pid } = readWorldFile(dir)
    service.kill('SIGKILL')
    const next = await startLocalWorld({ ...options, dataDir: dir })
    try {
      assert.equal(await isAnswering(next), true)
      assert.ok(await isGone(pid))
    } finally {
      await next.stop()
      rmSync(dir, { recursive: true, force: true })
    }
  })

  test('the service starts without waiting for slow local provider emulators, and reaches them once they are up', async (t) => {
    const dir = mkdtempSync(join(tmpdir(), 'slipway-late-'))
    undoAfter(t, async () => rmSync(dir, { recursive: true, force: true }))
    const [port = 0, appsPort = 0] = await freePorts(2)
    const late = await startLocalWorld({ ...options, dataDir: dir, port, appsPort, readyMs: 0 })
    undoAfter(t, () => late.stop())
    assert.equal(await isAnswering(late), false)
    await waitUntil(() => isAnswering(late))
  })

  test('the service waits at startup for local provider emulators that choose their own ports, because it needs the addresses', async (t) => {
    const dir = mkdtempSync(join(tmpdir(), 'slipway-chosen-'))
    undoAfter(t, async () => rmSync(dir, { recursive: true, force: true }))
    const chosen = await startLocalWorld({ ...options, dataDir: dir, readyMs: 0 })
    undoAfter(t, () => chosen.stop())
    assert.equal(await isAnswering(chosen), true)
  })

  test('an invalid setting of the local provider emulators ends the start with its name, what is wrong and what it means', async (t) => {
    const dir = mkdtempSync(join(tmpdir(), 'slipway-settings-'))
    undoAfter(t, async () => rmSync(dir, { recursive: true, force: true }))
    process.env['SLIPWAY_LOCAL_IDLE_MINUTES'] = 'ten'
    undoAfter(t, async () => delete process.env['SLIPWAY_LOCAL_IDLE_MINUTES'])
    await assert.rejects(
      startLocalWorld({ ...options, dataDir: dir }),
      (error) =>
        error instanceof ConfigError &&
        /^SLIPWAY_LOCAL_IDLE_MINUTES: .+number.+\. Minutes without a request .+ Empty: 10\.$/.test(
          error.message,
        ),
    )
  })

  test('when another program uses a port of the local provider emulators, the error names the port', async () => {
    const stranger = createServer()
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
    const { port } = stranger.address() as AddressInfo
    const dir = mkdtempSync(join(tmpdir(), 'slipway-port-'))
    await assert.rejects(
      startLocalWorld({ ...options, dataDir: dir, port }),
      (error) => error instanceof PortTakenError && error.message.includes(`Port ${port} is in use`),
    )
    await new Promise((resolve) => stranger.close(resolve))
    rmSync(dir, { recursive: true, force: true })
  })
})
