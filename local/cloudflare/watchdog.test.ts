import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Watchdog } from './watchdog.ts'

const server = createServer((_req, res) => res.end('ok')).listen(0, '127.0.0.1')
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

  test('one that works hard and answers is left alone, and one that grows is reported', async () => {
    const child = spinner()
    let grown = 0
    const watchdog = new Watchdog(
      { pid: () => child.pid ?? null, ports: new Map([['_ping', pingPort]]) },
      { onSpin: () => assert.fail('it answered'), onMemory: () => grown++ },
      { ...LIMITS, memoryBytes: 1 },
    )
    await sleep(600)
    watchdog.stop()
    assert.equal(child.exitCode, null)
    if (process.platform === 'linux') assert.ok(grown > 0)
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
})
