import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, mock, test } from 'node:test'
import { recordErrors } from '../../data/partition/objects.test.fixture.ts'
import { jobModules } from '../../handlers.gen.ts'
import type * as Jobs from './jobs.ts'
import { importInWorkerd } from './workerd.test.fixture.ts'

const RUN: Jobs.JobInfo = {
  id: 'run-1',
  attempt: 1,
  scheduledAt: '2026-11-20T10:30:00.000Z',
  userId: null,
}

describe('running a job of an app', () => {
  let jobs: typeof Jobs
  let logged: { message: string; route: string }[]
  const modules = jobModules as Record<string, { default?: unknown }>
  const names = ['tidy', 'broken', 'empty'] as const

  before(async () => {
    jobs = await importInWorkerd(() => import('./jobs.ts'))
  })
  beforeEach(() => {
    logged = recordErrors()
  })
  afterEach(() => mock.restoreAll())
  after(() => {
    for (const name of names) delete modules[name]
  })

  test("a job's handler gets the data and details of its run, which succeeds once the handler's promise fulfills", async () => {
    const calls: unknown[] = []
    modules['tidy'] = { default: async (...given: unknown[]) => void calls.push(given) }
    assert.deepEqual(await jobs.runJob('tidy', { room: 3 }, RUN), { ok: true })
    assert.deepEqual(calls, [[{ room: 3 }, RUN]])
    assert.deepEqual(logged, [])
  })

  test('an error that a job throws is returned and logged with the name of the job, and a very long message is cut', async () => {
    const thrown: [error: unknown, text: string][] = [
      [new Error('no water'), 'no water'],
      ['late', 'late'],
      [undefined, 'undefined'],
      [new Error('x'.repeat(3000)), 'x'.repeat(1000)],
    ]
    for (const [error, text] of thrown) {
      modules['broken'] = {
        default: () => {
          throw error
        },
      }
      assert.deepEqual(await jobs.runJob('broken', null, RUN), { ok: false, error: text })
      assert.equal(logged.at(-1)?.route, 'job broken')
    }
    assert.equal(logged.length, thrown.length)
  })

  test('a job whose file is missing or exports no function fails with a readable error, even if it is named "constructor"', async () => {
    modules['empty'] = { default: 'not a function' }
    for (const name of ['gone', 'empty', 'constructor', 'toString', '__proto__']) {
      const error = `server/jobs/${name}.ts must exist and export a function as its default`
      assert.deepEqual(await jobs.runJob(name, null, RUN), { ok: false, error })
      assert.equal(jobs.findHandler(name), null)
    }
  })
})
