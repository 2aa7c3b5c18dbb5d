import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendSigkill, readProcess, readResidentBytes } from '../../world/processes.ts'
import { memoryGrowthAfter, Watchdog } from './watchdog.ts'

const dir = mkdtempSync(join(tmpdir(), 'slipway-watchdog-'))
const pingSocket = join(dir, 'ping')
const pinged = { times: 0, answer: () => {} }
const server = createServer((_req, res) => {
  pinged.times++
  pinged.answer()
  res.end('ok')
}).listen(pingSocket)
await once(server, 'listening')
const LIMITS = { pingMs: 30, spinCpuSeconds: 0.2, memoryCheckMs: 20, memoryBytes: 2 ** 40 }
const memory = { onMemory: () => {}, onFarOverMemory: () => {} }

const spawnSpinner = () => spawn(process.execPath, ['-e', 'for (;;);'])

describe('the watchdog', () => {
  after(() => {
    server.close()
    rmSync(dir, { recursive: true })
  })
  test('a process in an endless loop that does not respond to pings is killed', async () => {
    const child = spawnSpinner()
    const seen: number[] = []
    const exited = once(child, 'exit')
    const watchdog = new Watchdog(
      { pid: () => child.pid ?? null, sockets: new Map([['_ping', join(dir, 'nobody')]]) },
      { onSpin: (pid) => seen.push(pid), ...memory },
      LIMITS,
    )
    assert.deepEqual(await exited, [null, 'SIGKILL'])
    watchdog.stop()
    assert.equal(seen[0], child.pid)
  })

  const workedSeconds = (pid: number | undefined) => readProcess(pid ?? 0)?.cpuSeconds ?? Infinity
  async function waitForChecks(count: number): Promise<void> {
    for (const before = pinged.times; pinged.times <= before + count;) await sleep(20)
  }

  test('a process that responds to pings is not killed when the watchdog itself was stalled', async () => {
    const child = spawnSpinner()
    let spins = 0
    const watchdog = new Watchdog(
      { pid: () => child.pid ?? null, sockets: new Map([['_ping', pingSocket]]) },
      { onSpin: () => spins++, ...memory },
      { ...LIMITS, pingMs: 500 },
    )
    await waitForChecks(1)
    // The next response is late, and the process has used CPU time meanwhile.
    pinged.answer = () => {
      pinged.answer = () => {}
      const before = workedSeconds(child.pid)
      while (workedSeconds(child.pid) < before + 0.6);
    }
    await waitForChecks(3)
    watchdog.stop()
    assert.deepEqual([spins, child.exitCode, child.signalCode], [0, null, null])
    child.kill('SIGKILL')
    await once(child, 'exit')
  })

  test('a process that uses much CPU time but responds to pings is not killed', async () => {
    const child = spawnSpinner()
    let spins = 0
    const watchdog = new Watchdog(
      { pid: () => child.pid ?? null, sockets: new Map([['_ping', pingSocket]]) },
      { onSpin: () => spins++, ...memory },
      { ...LIMITS, pingMs: 100 },
    )
    // Wait until the process has used three times the CPU time allowed for an unresponsive process, then for six more pings.
    while (workedSeconds(child.pid) < 3 * LIMITS.spinCpuSeconds) await sleep(20)
    await waitForChecks(6)
    watchdog.stop()
    assert.deepEqual([spins, child.exitCode, child.signalCode], [0, null, null])
    child.kill('SIGKILL')
    await once(child, 'exit')
  })

  /** Starts a process that, on input, allocates `bytes` of memory without releasing it and then writes a line. */
  const spawnEater = (bytes: number) =>
    spawn(process.execPath, [
      '-e',
      `process.stdin.once('data', () => { globalThis.kept = Buffer.alloc(${bytes}, 1); console.log('done') })
       setInterval(() => {}, 1e6)`,
    ])

  test('fast memory growth keeps its start time until 21 consecutive checks without growth; slow growth has none', () => {
    let growth = { bytes: 0, roseAt: null as number | null, pausedChecks: 0 }
    const growBy = (bytes: number, now: number) =>
      (growth = memoryGrowthAfter(growth, growth.bytes + bytes, now)).roseAt
    assert.deepEqual(
      [growBy(5e6, 1), growBy(20e6, 2), growBy(1e6, 3), growBy(0, 4), growBy(5e6, 5), growBy(20e6, 6)],
      [null, 2, 2, 2, 2, 2],
    )
    const paused = Array.from({ length: 21 }, (_, n) => growBy(0, 7 + n))
    assert.deepEqual(paused, [...Array<number>(20).fill(2), null])
    assert.equal(growBy(20e6, 28), 28)
  })

  test("fast memory growth that began before the watchdog's first check is reported with its start time", async () => {
    const child = spawnEater(200e6)
    const pid = child.pid ?? 0
    // Wait until the process has started.
    while (readResidentBytes(pid) < 30e6) await sleep(20)
    const over = Promise.withResolvers<number | null>()
    const watchdog = new Watchdog(
      { pid: () => pid, sockets: new Map([['_ping', pingSocket]]) },
      { onSpin: () => {}, onMemory: over.resolve, onFarOverMemory: () => {} },
      { ...LIMITS, pingMs: 10_000, memoryCheckMs: 1000, memoryBytes: 150e6 },
    )
    child.stdin.write('now')
    assert.notEqual(await over.promise, null)
    watchdog.stop()
    sendSigkill(pid)
  })

  const LIMIT = 300e6
  for (const { bytes, isFar } of [
    { bytes: 200e6, isFar: null },
    { bytes: 270e6, isFar: false },
    { bytes: 600e6, isFar: true },
  ])
    test(`a process that allocates ${bytes / 1e6} MB is ${isFar === null ? 'not reported' : `reported once, ${isFar ? 'as' : 'not as'} far over its memory limit`}`, async () => {
      const child = spawnEater(bytes)
      const roseAt: (number | null)[] = []
      let far = 0
      const watchdog = new Watchdog(
        { pid: () => child.pid ?? null, sockets: new Map([['_ping', pingSocket]]) },
        { onSpin: () => {}, onMemory: (at) => roseAt.push(at), onFarOverMemory: () => far++ },
        { ...LIMITS, memoryBytes: LIMIT },
      )
      // Memory also grows fast while the process starts, so wait until the start has ended.
      await waitForChecks(25)
      const fedAt = performance.now()
      child.stdin.write('now')
      await once(child.stdout, 'data')
      await waitForChecks(5)
      watchdog.stop()
      sendSigkill(child.pid ?? 0)
      assert.equal(roseAt.length, isFar === null ? 0 : 1)
      assert.ok(roseAt.every((at) => at === null || at > fedAt))
      assert.equal(far > 0, isFar === true)
    })
})
