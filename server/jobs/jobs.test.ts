import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TestContext, after, before, describe, test } from 'node:test'
import * as z from 'zod'
import { transact, type Database } from '../db/database.ts'
import { silentLog, testDatabase } from '../testing/database.ts'
import { undoAfter } from '../testing/undo.ts'
import { settleAbandoned } from './abandoned.ts'
import { defineJob, openJobs, type JobDefinition, type Jobs, type RunnerParts } from './jobs.ts'
import { startPresence } from './presence.ts'

const platform: RunnerParts = { log: silentLog, metrics: null }
type TestJobs = Jobs<RunnerParts>
type NumberedJob = JobDefinition<Numbered, RunnerParts>
const Numbered = z.object({ key: z.string(), n: z.number() })
type Numbered = z.output<typeof Numbered>

let database: Database & { drop(): Promise<void> }
async function openTestJobs(t: TestContext, ...definitions: NumberedJob[]): Promise<TestJobs> {
  const jobs = await openJobs({
    url: database.url,
    log: silentLog,
    definitions,
  })
  undoAfter(t, () => jobs.stop())
  return jobs
}

function numberedJob(name: string, rest: Partial<NumberedJob> & Pick<NumberedJob, 'run'>): NumberedJob {
  return defineJob({
    name,
    data: Numbered,
    policy: 'standard',
    retryLimit: 1,
    expireSeconds: 60,
    concurrency: 1,
    ...rest,
  })
}

async function waitUntil(isDone: () => boolean | Promise<boolean>, withinMs = 8000): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await isDone())) {
    assert.ok(performance.now() < deadline, 'did not happen in time')
    await sleep(10)
  }
}

async function countJobs(name: string, state: string | null = null): Promise<number> {
  const sql = 'select from pgboss.job where name = $1 and ($2::text is null or state::text = $2)'
  return (await database.pool.query(sql, [name, state])).rowCount ?? 0
}

// Starts a separate process, which can be killed while it runs the job.
async function startWorkerProcess(t: TestContext, name: string): Promise<{ kill(): Promise<void> }> {
  const script = `
    import * as z from 'zod'
    import { pino } from 'pino'
    import { defineJob, openJobs } from ${JSON.stringify(import.meta.resolve('./jobs.ts'))}
    import { startPresence } from ${JSON.stringify(import.meta.resolve('./presence.ts'))}
    const log = pino({ level: 'silent' })
    const job = defineJob({ name: ${JSON.stringify(name)}, data: z.unknown(), policy: 'standard', retryLimit: 1,
      expireSeconds: 60, concurrency: 1, run: () => { process.stdout.write('taken'); return new Promise(() => {}) } })
    const jobs = await openJobs({ url: process.env.TEST_URL, log, definitions: [job] })
    await startPresence({ url: process.env.TEST_URL, role: 'all', log, onAlone() {}, onLiving() {} })
    await jobs.work({ log })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    env: { ...process.env, TEST_URL: database.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const killWorker = async () => {
    child.kill('SIGKILL')
    await ended
  }
  undoAfter(t, killWorker)
  await once(child.stdout, 'data')
  return { kill: killWorker }
}

/** Registers this process as live before it takes jobs, as the service does at its start. */
async function joinAndWork(t: TestContext, jobs: TestJobs): Promise<void> {
  const presence = await startPresence({
    url: database.url,
    role: 'all',
    log: silentLog,
    onAlone: () => jobs.failOrphans(),
    onLiving: () => {},
  })
  undoAfter(t, () => presence.leave())
  await jobs.work(platform)
}

describe('jobs', () => {
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.drop())

  test('a job sent in a transaction that is rolled back does not exist, and a committed job runs at once', async (t) => {
    const ran: Numbered[] = []
    const job = numberedJob('rollback', { run: async (_, { data }) => void ran.push(data) })
    const jobs = await openTestJobs(t, job)
    await assert.rejects(
      transact(database.db, async (trx) => {
        await jobs.send(trx, job, { key: 'a', n: 1 })
        throw new Error('rolled back')
      }),
      /rolled back/,
    )
    assert.equal(await countJobs('rollback'), 0)
    await jobs.work(platform)
    // Without NOTIFY each job would wait for the next two-second poll.
    const took: number[] = []
    for (const n of [2, 3, 4]) {
      const sentAt = performance.now()
      await transact(database.db, (trx) => jobs.send(trx, job, { key: 'a', n }))
      await waitUntil(() => ran.length === n - 1)
      took.push(performance.now() - sentAt)
    }
    assert.ok(Math.min(...took.slice(1)) < 1500, `NOTIFY wakes the worker before its poll: ${took.join()} ms`)
    assert.deepEqual(
      ran.map(({ n }) => n),
      [2, 3, 4],
    )
  })

  test("sending a job whose data does not fit the job's schema is refused", async (t) => {
    const job = numberedJob('refused', { run: async () => {} })
    const jobs = await openTestJobs(t, job)
    const wrong = { key: 'a', n: 'one' } as unknown as Numbered
    await assert.rejects(
      transact(database.db, (trx) => jobs.send(trx, job, wrong)),
      z.ZodError,
    )
    assert.equal(await countJobs('refused'), 0)
  })

  test('jobs with one key run one at a time in the order of sending, and do not wait for jobs with another key', async (t) => {
    const order = new Map<string, number[]>()
    const running = new Set<string>()
    let overlaps = 0
    const together = Promise.withResolvers<void>()
    const job = numberedJob('line', {
      policy: 'key_strict_fifo',
      key: (data) => data.key,
      concurrency: 4,
      async run(_, { data }) {
        if (running.has(data.key)) overlaps++
        running.add(data.key)
        if (running.size > 1) together.resolve()
        await together.promise
        await sleep(3)
        order.set(data.key, [...(order.get(data.key) ?? []), data.n])
        running.delete(data.key)
      },
    })
    const jobs = await openTestJobs(t, job)
    await jobs.work(platform)
    // Several jobs of one key in one transaction share a creation time.
    for (let n = 0; n < 20; n += 5) {
      await transact(database.db, async (trx) => {
        for (let i = n; i < n + 5; i++)
          for (const key of ['a', 'b', 'c']) await jobs.send(trx, job, { key, n: i })
      })
    }
    const countRuns = () => [...order.values()].flat().length
    await waitUntil(() => countRuns() === 60, 15_000)
    const expected = Array.from({ length: 20 }, (_, n) => n)
    assert.deepEqual(Object.fromEntries(order), { a: expected, b: expected, c: expected })
    assert.equal(overlaps, 0)
  })

  test('a backlog of jobs is processed without pauses between them', async (t) => {
    let done = 0
    const job = numberedJob('backlog', { run: async () => void done++ })
    const jobs = await openTestJobs(t, job)
    await transact(database.db, async (trx) => {
      for (let n = 0; n < 100; n++) await jobs.send(trx, job, { key: 'a', n })
    })
    await jobs.work(platform)
    // A worker that waits for the two-second poll after each job would need 200 s.
    await waitUntil(() => done === 100, 50_000)
  })

  test('in an exclusive queue a job is not stored while another job with the same key waits', async (t) => {
    const job = numberedJob('exclusive', {
      policy: 'exclusive',
      key: (data) => data.key,
      run: async () => {},
    })
    const jobs = await openTestJobs(t, job)
    for (const n of [1, 2]) await transact(database.db, (trx) => jobs.send(trx, job, { key: 'a', n }))
    await transact(database.db, (trx) => jobs.send(trx, job, { key: 'b', n: 3 }))
    assert.equal(await countJobs('exclusive'), 2)
  })

  test("a new job replaces the data of a waiting job with the same key, and the job runs only after the sender's commit", async (t) => {
    const ran: string[] = []
    const first = Promise.withResolvers<void>()
    const job = numberedJob('joins', {
      policy: 'key_strict_fifo',
      joinsWaiting: true,
      key: (data) => data.key,
      concurrency: 2,
      async run(_, { data }) {
        ran.push(`${data.key}${data.n}`)
        if (data.key === 'a' && data.n === 1) await first.promise
      },
    })
    const jobs = await openTestJobs(t, job)
    await jobs.work(platform)
    const sendJob = (key: string, n: number) =>
      transact(database.db, (trx) => jobs.send(trx, job, { key, n }))
    await sendJob('a', 1)
    await waitUntil(() => ran.length === 1)
    // A running job may have read the old data, so the new job waits behind it.
    for (const n of [2, 3, 4]) await sendJob('a', n)
    assert.equal(await countJobs('joins', 'created'), 1)
    await sendJob('b', 1)
    await waitUntil(() => ran.includes('b1'))
    await transact(database.db, async (trx) => {
      await jobs.send(trx, job, { key: 'a', n: 5 })
      first.resolve()
      await waitUntil(async () => (await countJobs('joins', 'completed')) === 2)
      assert.deepEqual(ran, ['a1', 'b1'])
    })
    await waitUntil(async () => (await countJobs('joins', 'completed')) === 3)
    assert.deepEqual(ran, ['a1', 'b1', 'a5'])
  })

  test('a job waiting for its last retry gets all its attempts again when a newer job with its key replaces its data', async (t) => {
    let attempts = 0
    const job = numberedJob('joins-late', {
      policy: 'key_strict_fifo',
      joinsWaiting: true,
      key: (data) => data.key,
      async run() {
        attempts++
        if (attempts < 3) throw new Error('not yet')
      },
    })
    const jobs = await openTestJobs(t, job)
    await jobs.work(platform)
    const sendJob = (n: number) => transact(database.db, (trx) => jobs.send(trx, job, { key: 'a', n }))
    await sendJob(1)
    await waitUntil(async () => (await countJobs('joins-late', 'retry')) === 1)
    await sendJob(2)
    assert.equal(await countJobs('joins-late'), 1)
    await waitUntil(async () => (await countJobs('joins-late', 'completed')) === 1)
    assert.equal(attempts, 3)
  })

  test('a job that failed its last attempt is reported to its handler and no longer blocks later jobs with its key', async (t) => {
    const ran: number[] = []
    const abandoned: number[] = []
    const job = numberedJob('blocked', {
      policy: 'key_strict_fifo',
      key: (data) => data.key,
      retryLimit: 0,
      async run(_, { data }) {
        if (data.n === 1) throw new Error('broken')
        ran.push(data.n)
      },
      abandon: async (_, data) => void abandoned.push(data.n),
    })
    const jobs = await openTestJobs(t, job)
    await jobs.work(platform)
    await transact(database.db, async (trx) => {
      for (const n of [1, 2]) await jobs.send(trx, job, { key: 'a', n })
    })
    await waitUntil(async () => {
      // `abandon` is called here, or by the check for failed jobs that runs when `work` begins.
      await settleAbandoned(database.pool, platform, [job])
      return ran.length === 1
    })
    assert.deepEqual({ ran, abandoned }, { ran: [2], abandoned: [1] })
  })

  test('a job whose failure cannot be settled does not keep other failed jobs from being settled, and is settled later', async (t) => {
    const settled: number[] = []
    let isBroken = true
    const job = numberedJob('unsettled', {
      retryLimit: 0,
      run: () => Promise.reject(new Error('broken')),
      async abandon(_, { n }) {
        if (n === 1 && isBroken) throw new Error('not settled')
        settled.push(n)
      },
    })
    const jobs = await openTestJobs(t, job)
    await jobs.work(platform)
    await transact(database.db, async (trx) => {
      for (const n of [1, 2]) await jobs.send(trx, job, { key: 'a', n })
    })
    // Repeated, because the check for failed jobs that runs when `work` begins may run at the same time.
    const settleUntil = (left: number) =>
      waitUntil(async () => {
        await settleAbandoned(database.pool, platform, [job])
        return (await countJobs('unsettled')) === left
      })
    await settleUntil(1)
    assert.deepEqual(settled, [2])
    isBroken = false
    await settleUntil(0)
    assert.deepEqual(settled, [2, 1])
  })

  test('the failure of a job is reported to its handler once, even when two processes find the failed job', async (t) => {
    const settling = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    let abandoned = 0
    const job = numberedJob('settled-once', {
      retryLimit: 0,
      run: () => Promise.reject(new Error('broken')),
      async abandon() {
        if (++abandoned > 1) return
        begun.resolve()
        await settling.promise
      },
    })
    const jobs = await openTestJobs(t, job)
    await transact(database.db, (trx) => jobs.send(trx, job, { key: 'a', n: 1 }))
    await jobs.work(platform)
    await waitUntil(async () => (await countJobs('settled-once', 'failed')) === 1)
    const settleJobs = () => settleAbandoned(database.pool, platform, [job])
    const first = settleJobs()
    // `abandon` is now running: called by `settleJobs`, or by the check for failed jobs that runs when `work` begins.
    await begun.promise
    assert.equal(await settleJobs(), 0)
    settling.resolve()
    await first
    await waitUntil(async () => (await countJobs('settled-once')) === 0)
    assert.equal(abandoned, 1)
  })

  /** Makes the jobs of a queue look as if they had been stored days ago, and waits until the job library has cleaned the queue up. */
  async function passDays(name: string, days: number): Promise<void> {
    await database.pool.query(
      `update pgboss.job set created_on = created_on - $2::interval, start_after = start_after - $2::interval,
         keep_until = keep_until - $2::interval, completed_on = completed_on - $2::interval
       where name = $1`,
      [name, `${days} days`],
    )
    await database.pool.query(
      `update pgboss.queue set maintain_on = now() - interval '2 days' where name = $1`,
      [name],
    )
    await waitUntil(async () => {
      const sql = `select from pgboss.queue where name = $1 and maintain_on > now() - interval '1 day'`
      return (await database.pool.query(sql, [name])).rowCount === 1
    })
  }

  test('a job still runs after it has waited for months, as in a backup that is restored late', async (t) => {
    const ran: number[] = []
    const job = numberedJob('waited', { run: async (_, { data }) => void ran.push(data.n) })
    const jobs = await openTestJobs(t, job)
    await transact(database.db, (trx) => jobs.send(trx, job, { key: 'a', n: 1 }))
    await passDays('waited', 100)
    await jobs.work(platform)
    await waitUntil(() => ran.length === 1)
  })

  test('the failure of a job is reported to its handler even if no process runs jobs for days after it', async (t) => {
    const abandoned: number[] = []
    const job = numberedJob('failed-long-ago', {
      run: async () => {},
      abandon: async (_, { n }) => void abandoned.push(n),
    })
    const jobs = await openTestJobs(t, job)
    await transact(database.db, (trx) => jobs.send(trx, job, { key: 'a', n: 1 }))
    await database.pool.query(
      `update pgboss.job set state = 'failed', completed_on = now() where name = 'failed-long-ago'`,
    )
    await passDays('failed-long-ago', 100)
    await settleAbandoned(database.pool, platform, [job])
    assert.deepEqual(abandoned, [1])
  })

  test('a completed job is deleted after an hour', async (t) => {
    const job = numberedJob('completed', { run: async () => {} })
    const jobs = await openTestJobs(t, job)
    await jobs.work(platform)
    await transact(database.db, async (trx) => {
      for (const n of [1, 2]) await jobs.send(trx, job, { key: 'a', n })
    })
    await waitUntil(async () => (await countJobs('completed', 'completed')) === 2)
    await database.pool.query(
      `update pgboss.job set completed_on = now() - interval '61 minutes'
       where name = 'completed' and data->>'n' = '1'`,
    )
    const listLeft = async () =>
      (await database.pool.query(`select data->>'n' as n from pgboss.job where name = 'completed'`)).rows
    // Repeated, because the check for failed jobs that runs when `work` begins may run at the same time.
    await waitUntil(async () => {
      await settleAbandoned(database.pool, platform, [job])
      return (await listLeft()).length < 2
    })
    assert.deepEqual(await listLeft(), [{ n: '2' }])
  })

  test('a process that shuts down returns its running job to the queue, and the next process runs it again', async (t) => {
    const attempts: number[] = []
    const job = numberedJob('handed-back', {
      async run(_, { attempt, signal }) {
        attempts.push(attempt)
        if (attempt === 1) await once(signal, 'abort')
      },
    })
    const first = await openTestJobs(t, job)
    await first.work(platform)
    await transact(database.db, (trx) => first.send(trx, job, { key: 'a', n: 1 }))
    await waitUntil(() => attempts.length === 1)
    await first.stop()
    const second = await openTestJobs(t, job)
    await second.work(platform)
    await waitUntil(() => attempts.length === 2)
    assert.deepEqual(attempts, [1, 2])
  })

  test('a job whose process was killed runs again at once when a new process joins and no other process is running', async (t) => {
    const attempts: object[] = []
    const job = numberedJob('takeover', {
      async run(_, { attempt }) {
        const why = await database.pool.query(`select output from pgboss.job where name = 'takeover'`)
        attempts.push({ attempt, why: why.rows })
      },
    })
    const jobs = await openTestJobs(t, job)
    await transact(database.db, (trx) => jobs.send(trx, job, { key: 'a', n: 1 }))
    const other = await startWorkerProcess(t, 'takeover')
    await other.kill()
    await joinAndWork(t, jobs)
    await waitUntil(() => attempts.length === 1)
    // The process that joins marks the job as failed at once, so that the job is retried. The missing heartbeat would be
    // noticed only 10 s later.
    assert.deepEqual(attempts, [{ attempt: 2, why: [{ output: { reason: 'its process died' } }] }])
  })

  test('a job that a running process works on is not taken over by another process', async (t) => {
    const ran: number[] = []
    const job = numberedJob('left-alone', { run: async (_, { data }) => void ran.push(data.n) })
    const jobs = await openTestJobs(t, job)
    await transact(database.db, (trx) => jobs.send(trx, job, { key: 'a', n: 1 }))
    await startWorkerProcess(t, 'left-alone')
    await joinAndWork(t, jobs)
    // This process takes and completes a second job, while the first one is still active in the other process.
    await transact(database.db, (trx) => jobs.send(trx, job, { key: 'a', n: 2 }))
    await waitUntil(() => ran.length > 0)
    const { rows } = await database.pool.query(
      `select state from pgboss.job where name = 'left-alone' and data ->> 'n' = '1'`,
    )
    assert.deepEqual({ ran, rows }, { ran: [2], rows: [{ state: 'active' }] })
  })

  test('a strict FIFO queue, and a queue in which new jobs replace waiting jobs, cannot be declared without a job key', () => {
    const run = async () => {}
    assert.throws(() => numberedJob('keyless', { policy: 'key_strict_fifo', run }), /needs a key/)
    assert.throws(() => numberedJob('keyless', { joinsWaiting: true, run }), /needs a key/)
  })

  test('the retries of a job can have increasing pauses between them', async (t) => {
    await openTestJobs(t, numberedJob('patient', { firstPauseSeconds: 30, run: () => Promise.resolve() }))
    await openTestJobs(t, numberedJob('eager', { run: () => Promise.resolve() }))
    const { rows } = await database.pool.query(
      `select name, retry_delay, retry_backoff from pgboss.queue where name in ('patient', 'eager') order by name`,
    )
    assert.deepEqual(rows, [
      { name: 'eager', retry_delay: 1, retry_backoff: false },
      { name: 'patient', retry_delay: 30, retry_backoff: true },
    ])
  })
})
