import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { type TestContext, after, before, describe, test } from 'node:test'
import { transact, type Database } from '../../db/database.ts'
import { openListener, type Listener } from '../../db/listener.ts'
import type { RunStatus } from '../../db/tables/runs.ts'
import { silentLog, testDatabase } from '../../testing/database.ts'
import { appendRunEvents, LeaseLostError, readRunEvents, releaseRunReaders, type RunEvent } from './events.ts'
import { RunEventHub } from './hub.ts'

const at = new Date('2026-11-20T18:00:00.000Z')

let database: Database & { drop(): Promise<void> }
let listener: Listener
let hub: RunEventHub
let runs = 0

/** Creates a run. A project may have only one active run, so it is settled after the test. */
async function newRun(t: TestContext): Promise<{ id: string; lease: number }> {
  const id = `run_${++runs}`
  await database.pool.query(
    `insert into runs (id, org_id, project_id, ticket_id, attempt, status, stage, trigger, scopes, lease, deaths, provider, model,
       limits, input, files, checks, usage, last_seq, created_at)
     values ($1, 'org', 'prj', 'tkt', 1, 'running', 'model', 'api', '{}', 1, 0, 'scaffold', 'm', '{}', '{}', '[]', '[]', '{}', 0, now())`,
    [id],
  )
  t.after(() => settle(id, 'failed'))
  return { id, lease: 1 }
}

async function settle(id: string, status: RunStatus): Promise<void> {
  await database.db.updateTable('runs').set({ status }).where('id', '=', id).execute()
}

/** Follows a run as a stream does: reads until the run's end, and wakes when the reader disconnects. */
async function* follow(source: RunEventHub, runId: string, after: number, gone: AbortSignal) {
  const follower = source.follow(runId, after)
  gone.addEventListener('abort', () => follower.wake())
  try {
    while (!gone.aborted) {
      const frames = await follower.next()
      if (frames === 'ended') return
      if (frames !== null) yield* frames.events
    }
  } finally {
    follower.close()
  }
}

async function collect(events: AsyncIterable<RunEvent>, onEvent = (_seq: number) => {}): Promise<number[]> {
  const seqs: number[] = []
  for await (const event of events) {
    assert.equal((JSON.parse(event.body) as { seq: number }).seq, event.seq)
    seqs.push(event.seq)
    onEvent(event.seq)
  }
  return seqs
}

/** Reads events to the end. `begun` resolves with the number of the first frame. */
function collecting(events: AsyncIterable<RunEvent>) {
  const begun = Promise.withResolvers<number>()
  return { begun: begun.promise, all: collect(events, begun.resolve) }
}

/** Returns a hub that passes each query to `onQuery`, and a function that waits until all queries have finished. */
function watchedHub(t: TestContext, onQuery: (query: string) => void) {
  const queries = { underWay: 0 }
  const watched = new RunEventHub(
    database.db.withPlugin({
      transformQuery: ({ node }) => {
        onQuery(JSON.stringify(node))
        queries.underWay++
        return node
      },
      transformResult: async ({ result }) => {
        queries.underWay--
        return result
      },
    }),
    listener,
  )
  t.after(() => watched.close())
  const idle = async () => {
    do await setImmediate()
    while (queries.underWay > 0)
  }
  return { watched, idle }
}

const upTo = (n: number, from = 1) => Array.from({ length: n - from + 1 }, (_, i) => from + i)
const delta = (text: string) => ({ type: 'delta', text })
const done = { type: 'done', outcome: 'built' }
const never = () => new AbortController().signal

describe('events of runs', () => {
  before(async () => {
    database = await testDatabase()
    listener = await openListener({ url: database.url, log: silentLog })
    hub = new RunEventHub(database.db, listener)
    await database.pool.query(`
    insert into organization (id, name, slug, "createdAt") values ('org', 'A', 'a', now());
    insert into projects (id, org_id, name, name_fold, slug, updated_at, created_at)
      values ('prj', 'org', 'P', 'p', 'p', now(), now());
    insert into tickets (id, org_id, project_id, title, body, status, type, priority, labels, source, updated_at, created_at)
      values ('tkt', 'org', 'prj', 'T', '', 'todo', 'task', 'none', '{}', 'human', now(), now())`)
  })
  after(async () => {
    hub.close()
    await listener.close()
    await database.drop()
  })

  test("new events of a build's stream get consecutive numbers, and the stored JSON of each event contains its number", async (t) => {
    const run = await newRun(t)
    assert.deepEqual(
      await appendRunEvents(database.db, run, [delta('a "quoted" \u0000 text'), { type: 'resumed' }], at),
      [1, 2],
    )
    assert.deepEqual(await appendRunEvents(database.db, run, [done], at), [3])
    assert.deepEqual(await appendRunEvents(database.db, run, [], at), [])
    const events = await readRunEvents(database.db, run.id, 0, 10)
    assert.deepEqual(
      events.map((event) => JSON.parse(event.body) as object),
      [
        { seq: 1, ...delta('a "quoted" \u0000 text') },
        { seq: 2, type: 'resumed' },
        { seq: 3, ...done },
      ],
    )
    assert.deepEqual(
      (await readRunEvents(database.db, run.id, 1, 1)).map((event) => event.seq),
      [2],
    )
  })

  test("a process that has lost its lease on a build cannot write to the build's event stream", async (t) => {
    const run = await newRun(t)
    await appendRunEvents(database.db, run, [delta('a')], at)
    await database.db.updateTable('runs').set({ lease: 2 }).where('id', '=', run.id).execute()
    await assert.rejects(appendRunEvents(database.db, run, [delta('b')], at), LeaseLostError)
    assert.equal((await readRunEvents(database.db, run.id, 0, 10)).length, 1)
  })

  test("a transaction that is rolled back leaves no gap in the event numbers of a build's stream", async (t) => {
    const run = await newRun(t)
    await assert.rejects(
      transact(database.db, async (trx) => {
        await appendRunEvents(trx, run, [delta('lost')], at)
        throw new Error('rolled back')
      }),
    )
    assert.deepEqual(await appendRunEvents(database.db, run, [delta('kept')], at), [1])
  })

  test("parallel writers to a build's event stream get consecutive numbers without gaps", async (t) => {
    const run = await newRun(t)
    const written = await Promise.all(
      upTo(20).map(() => appendRunEvents(database.db, run, [delta('x'), delta('y')], at)),
    )
    assert.deepEqual(
      written.flat().sort((a, b) => a - b),
      upTo(40),
    )
  })

  test("every early or late subscriber of a build's stream gets each event once, in order, and ends after the final event", async (t) => {
    const run = await newRun(t)
    const early = upTo(50).map(() => collect(follow(hub, run.id, 0, never())))
    const late: Promise<number[]>[] = []
    for (let n = 0; n < 60; n++) {
      await appendRunEvents(database.db, run, [delta('a'), delta('b'), delta('c')], at)
      if (n % 10 === 0) late.push(collect(follow(hub, run.id, n, never())))
    }
    await appendRunEvents(database.db, run, [{ type: 'tool', error: { type: 'error' } }, done], at)
    for (const seqs of await Promise.all(early)) assert.deepEqual(seqs, upTo(182))
    for (const [index, seqs] of (await Promise.all(late)).entries()) {
      assert.deepEqual(seqs, upTo(182, index * 10 + 1))
    }
  })

  test("reconnecting to a build's stream after any event number returns exactly the remaining events", async (t) => {
    const run = await newRun(t)
    await appendRunEvents(database.db, run, [...upTo(30).map(() => delta('a')), done], at)
    await settle(run.id, 'succeeded')
    for (let seq = 0; seq < 31; seq++) {
      assert.deepEqual(await collect(follow(hub, run.id, seq, never())), upTo(31, seq + 1))
    }
    assert.deepEqual(
      await collect(follow(hub, run.id, 31, never())),
      [],
      'nothing is left, so the stream ends',
    )
  })

  test('the stream of an interrupted build ends at the notification that another attempt continues the build', async (t) => {
    const run = await newRun(t)
    await appendRunEvents(database.db, run, [delta('a')], at)
    const following = collecting(follow(hub, run.id, 0, never()))
    await following.begun
    await settle(run.id, 'failed')
    await releaseRunReaders(database.db, run.id)
    assert.deepEqual(await following.all, [1])
  })

  test("a subscriber's stream ends when the build is deleted together with its last events", async (t) => {
    const run = await newRun(t)
    await appendRunEvents(database.db, run, [delta('a')], at)
    const following = collecting(follow(hub, run.id, 0, never()))
    await following.begun
    // The frames are deleted before any process handles their notification.
    await transact(database.db, async (trx) => {
      await appendRunEvents(trx, run, [{ type: 'error', kind: 'cancelled' }], at)
      await trx.deleteFrom('runs').where('id', '=', run.id).execute()
    })
    assert.deepEqual(await following.all, [1])
  })

  test('the stream of a subscriber that disconnects ends at once', async (t) => {
    const run = await newRun(t)
    const gone = new AbortController()
    const following = collecting(follow(hub, run.id, 0, gone.signal))
    await appendRunEvents(database.db, run, [delta('a')], at)
    await following.begun
    gone.abort()
    assert.deepEqual(await following.all, [1])
    assert.deepEqual(await collect(follow(hub, run.id, 0, gone.signal)), [])
  })

  test("stream events written while the database's LISTEN connection is down are delivered after it is restored", async (t) => {
    const run = await newRun(t)
    const following = collecting(follow(hub, run.id, 0, never()))
    await appendRunEvents(database.db, run, [delta('before')], at)
    await following.begun
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'slipway listener' and datname = current_database()`,
    )
    await appendRunEvents(database.db, run, [delta('meanwhile'), done], at)
    assert.deepEqual(await following.all, [1, 2, 3])
  })

  test("a subscriber that reads a build's stream slowly, so that the buffer overflows, loses no event", async (t) => {
    const run = await newRun(t)
    const seqs: number[] = []
    const first = Promise.withResolvers<void>()
    const later = Promise.withResolvers<void>()
    const following = (async () => {
      for await (const event of follow(hub, run.id, 0, never())) {
        first.resolve()
        await later.promise
        seqs.push(event.seq)
      }
    })()
    const big = delta('x'.repeat(100_000))
    for (let n = 0; n < 30; n++) {
      await appendRunEvents(database.db, run, [big], at)
      await first.promise
    }
    await appendRunEvents(database.db, run, [done], at)
    later.resolve()
    await following
    assert.deepEqual(seqs, upTo(31))
  })

  test("hundreds of subscribers of a build's stream cause one database read per notification, not one each", async (t) => {
    const run = await newRun(t)
    let reads = 0
    const { watched, idle } = watchedHub(t, (query) => {
      if (query.includes('run_events')) reads++
    })
    const followers = upTo(200).map(() => collecting(follow(watched, run.id, 0, never())))
    await appendRunEvents(database.db, run, [delta('a')], at)
    // Each follower first reads the table itself. Wait until they have done so, and count only the reads after that.
    await Promise.all(followers.map(({ begun }) => begun))
    await idle()
    reads = 0
    for (let n = 0; n < 20; n++) await appendRunEvents(database.db, run, [delta('b')], at)
    await appendRunEvents(database.db, run, [done], at)
    for (const { all } of followers) assert.deepEqual(await all, upTo(22))
    assert.ok(reads <= 21, `${reads} reads for 21 batches and 200 followers`)
  })

  test("a failed read of a build's new events ends each stream with the error, and later streams get all events", async (t) => {
    const run = await newRun(t)
    let isBroken = false
    const { watched, idle } = watchedHub(t, () => {
      if (isBroken) throw new Error('the database is gone')
    })
    const followers = upTo(3).map(() => collecting(follow(watched, run.id, 0, never())))
    await appendRunEvents(database.db, run, [delta('a')], at)
    await Promise.all(followers.map(({ begun }) => begun))
    await idle()
    const ends = followers.map(({ all }) => assert.rejects(all, /the database is gone/))
    isBroken = true
    await appendRunEvents(database.db, run, [delta('b')], at)
    await Promise.all(ends)
    isBroken = false
    await appendRunEvents(database.db, run, [done], at)
    assert.deepEqual(await collect(follow(watched, run.id, 1, never())), [2, 3])
  })

  test("a subscriber who asks for a build's events after a number not yet reached gets only the events after that number", async (t) => {
    const run = await newRun(t)
    await appendRunEvents(database.db, run, [delta('a')], at)
    const ahead = collect(follow(hub, run.id, 3, never()))
    const usual = collect(follow(hub, run.id, 0, never()))
    for (const text of ['b', 'c', 'd']) await appendRunEvents(database.db, run, [delta(text)], at)
    await appendRunEvents(database.db, run, [done], at)
    assert.deepEqual([await ahead, await usual], [[4, 5], upTo(5)])
  })
})
