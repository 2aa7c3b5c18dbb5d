import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readProcess } from '../world/processes.ts'
import { Watchdog } from './watchdog.ts'

const pinged = { times: 0, answer: () => {} }
const server = createServer((_req, res) => {
  pinged.times++
  pinged.answer()
  res.end('ok')
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const pingPort = (server.address() as AddressInfo).port
const LIMITS = { pingMs: 30, spinCpuSeconds: 0.2, memoryBytes: 2 ** 40 }

const spinner = () => spawn(process.execPath, ['-e', 'for (;;);'])

describe('the watchdog', () => {
  after(() => server.close())
  test('a process that spins and answers no ping is killed', async () => {
    const child = spinner()
    const seen: number[] = []
    const exited = once(child, 'exit')
    const watchdog = new Watchdog(
      { pid: () => child.pid ?? null, ports: new Map([['_ping', 1]]) },
      { onSpin: (pid) => seen.push(pid), onMemory: () => {} },
      LIMITS,
    )
    assert.deepEqual(await exited, [null, 'SIGKILL'])
    watchdog.stop()
    assert.equal(seen[0], child.pid)
  })

  const workedSeconds = (pid: number | undefined) => readProcess(pid ?? 0)?.cpuSeconds ?? Infinity
  /** Looks that begin and end from now on. */
  async function looks(count: number): Promise<void> {
    for (const before = pinged.times; pinged.times <= before + count;) await sleep(20)
  }

  test('one that answers is left alone by a watchdog that stood still itself', async () => {
    const child = spinner()
    let spins = 0
    const watchdog = new Watchdog(
      { pid: () => child.pid ?? null, ports: new Map([['_ping', pingPort]]) },
      { onSpin: () => spins++, onMemory: () => {} },
      { ...LIMITS, pingMs: 500 },
    )
    await looks(1)
    // The answer to the ping under way comes too late, and the process has worked meanwhile.
    pinged.answer = () => {
      pinged.answer = () => {}
      const before = workedSeconds(child.pid)
      while (workedSeconds(child.pid) < before + 0.6);
    }
    await looks(3)
    watchdog.stop()
    assert.deepEqual([spins, child.exitCode, child.signalCode], [0, null, null])
    child.kill('SIGKILL')
    await once(child, 'exit')
  })

  test('one that works hard and answers is left alone, and one that grows is reported', async () => {
    const child = spinner()
    let grown = 0
    let spins = 0
    const watchdog = new Watchdog(
      { pid: () => child.pid ?? null, ports: new Map([['_ping', pingPort]]) },
      { onSpin: () => spins++, onMemory: () => grown++ },
      { ...LIMITS, pingMs: 100, memoryBytes: 1 },
    )
    // It has done far more than is allowed to one that does not answer, and was looked at since.
    while (workedSeconds(child.pid) < 3 * LIMITS.spinCpuSeconds) await sleep(20)
    await looks(6)
    watchdog.stop()
    assert.deepEqual([spins, child.exitCode, child.signalCode], [0, null, null])
    if (process.platform === 'linux') assert.ok(grown > 0)
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
})
