import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { after, describe, test } from 'node:test'
import { silentLog } from '../../testing/database.ts'
import { descendants, isGone } from '../../testing/processes.ts'
import type { FixtureJobs } from '../testing/child.ts'
import { ChildExitedError, openPool, type PoolLimits } from './pool.ts'

const entry = fileURLToPath(new URL('../testing/child.ts', import.meta.url))
const pool = openPool<FixtureJobs>(
  { entry, heapMbMax: 100, jobsMax: 100, memoryBytesMax: 200e6 },
  { size: 1, log: silentLog },
)
const limits = { owner: 'org', timeoutMs: 30_000 }
const children = () => descendants(process.pid, 'child-fixture.ts')

/** Runs a job that must not finish. Returns why the job was ended, and the processes that it started. */
async function lose(given: FixtureJobs['hold']['given'], timeoutMs: PoolLimits['timeoutMs']) {
  assert.equal(await pool.run('echo', 'ready', limits), 'ready')
  const [pid = 0] = children()
  const lost = await pool.run('hold', given, { ...limits, timeoutMs }).then(
    () => null,
    (error: unknown) => error,
  )
  assert.ok(lost instanceof ChildExitedError)
  assert.ok(await isGone(pid))
  return lost
}

describe('child processes', () => {
  after(() => pool.close())

  test('a child process that exceeds its memory limit fails only its job, and the next job succeeds', async () => {
    const { reason } = await lose({ mb: 400, isProgram: false }, 30_000)
    assert.equal(reason, 'memory')
    assert.equal(await pool.run('echo', 'again', limits), 'again')
  })

  test("a program started by a child process counts towards the child's memory limit and ends with the child", async () => {
    const { reason } = await lose({ mb: 400, isProgram: true }, 30_000)
    assert.equal(reason, 'memory')
    assert.deepEqual(descendants(process.pid, '--title=hungry'), [])
  })

  test('a job of a child process that exceeds its time limit fails, and the process ends', async () => {
    const { reason } = await lose({ mb: 1, isProgram: false }, 100)
    assert.equal(reason, 'time')
  })

  test('a job of a child process whose time limit has grown while it ran is stopped only after the longer time', async () => {
    let begunAt = 0
    const growingLimit = () => {
      begunAt ||= performance.now()
      return performance.now() - begunAt < 50 ? 100 : 600
    }
    const { reason, message } = await lose({ mb: 1, isProgram: false }, growingLimit)
    assert.deepEqual([reason, message], ['time', 'took more than 0.6 s'])
    assert.ok(performance.now() - begunAt >= 599)
  })

  test('a child process within its memory limit runs until its time limit', async () => {
    const { reason } = await lose({ mb: 20, isProgram: true }, 1_000)
    assert.equal(reason, 'time')
  })
})
