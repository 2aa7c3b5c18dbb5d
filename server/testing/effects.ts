import assert from 'node:assert/strict'
import { afterEach, beforeEach } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { EventType } from '../events/event-types.ts'
import { findActivityFaults } from './activity-faults.ts'
import { listsEffects } from './unlisted-effects.ts'
import { WatchedCalls } from './watched-calls.ts'

/** How many events, entries of the activity log and jobs a test has stored, by name. */
export interface Effects<Count = number> {
  /** The counts of events by their type. */
  events?: Partial<Record<EventType, Count>>
  /** The counts of entries by the name of their action. For a failed action, the key ends with the status of the action. */
  activity?: Record<string, Count>
  /** The counts of sent jobs by the name of the job. */
  jobs?: Record<string, Count>
}

/**
 * `some` means at least one and `any` zero or more. They are for counts that depend on what runs at the same moment: a waiting job is not
 * sent twice, and a worker is published again when its bindings have changed meanwhile. An effect that happens once for each cause, such as
 * a created bucket or a deleted worker, has an exact number. effects.test.ts limits how many effects use `some` and `any`.
 */
type Expected = number | 'some' | 'any'

type Kind = keyof Effects
const KINDS: Kind[] = ['events', 'activity', 'jobs']

interface Row {
  kind: Kind
  id: string
  name: string
}

const SETTLE_MS_MAX = 30_000
const EFFECTS = `
  select 'events' as kind, id, type as name from events
  union all
  select 'activity', id, action || case status when 'ok' then '' else ' ' || status end from activity
  union all
  select 'jobs', id::text, name from pgboss.job`

/** The recorders of all applications that are open in this process. */
const openRecorders = new Set<EffectRecorder>()
let listedEffects: Effects<Expected> = {}
/** The effects of the applications that the current test opened and has already closed. */
let closedEffects: Effects[] = []
/** The faults of the applications in `closedEffects`: refused calls that wrote to the database, and wrong entries of the activity log. */
let closedFaults: string[] = []
/** How many nested tests are running at the moment. */
let testDepth = 0

/**
 * Lists the events, entries of the activity log and jobs that the current test stores. In a test file that opens an application, a test
 * fails on every effect that it does not list; a test without a list must have no effects.
 */
export function leaves(effects: Effects<Expected>): void {
  listedEffects = effects
}

// Scripts import this module too. They run no tests, so they must not register hooks for tests.
if (process.env['NODE_ENV'] === 'test') listenToTests()

/** These hooks run for every test of the process, because this module is imported at the top of a file. */
function listenToTests(): void {
  beforeEach(async () => {
    if (++testDepth > 1) return
    listedEffects = {}
    closedEffects = []
    closedFaults = []
    await Promise.all(Array.from(openRecorders, (recorder) => recorder.begin()))
  })
  afterEach(async (t) => {
    // The effects of a failed test are not checked, because the test's own error says more.
    if (--testDepth > 0 || !('passed' in t) || !t.passed || !listsEffects(t.filePath)) return
    const recorders = [...openRecorders]
    const left = await Promise.all(recorders.map((recorder) => recorder.end()))
    const total = sumEffects([...closedEffects, ...left])
    assert.deepEqual(
      total,
      expectedOf(total),
      'what the test left behind (actual) is not what it lists (expected)',
    )
    const faults = await Promise.all(recorders.map((recorder) => recorder.findFaults()))
    assert.deepEqual([...closedFaults, ...faults.flat()], [])
    for (const { calls } of recorders) calls.report()
  })
}

/** Returns the effects that the test lists. Replaces `any` by the number in `total`, and `some` by that number or at least 1. */
function expectedOf(total: Effects): Effects {
  const numbersOf = (kind: Kind) =>
    Object.entries<Expected>(listedEffects[kind] ?? {}).map(([name, expected]) => {
      const number = (total[kind] as Record<string, number>)[name] ?? 0
      if (expected === 'any') return [name, number]
      return [name, expected === 'some' ? Math.max(number, 1) : expected]
    })
  return Object.fromEntries(
    KINDS.map((kind) => [kind, Object.fromEntries(numbersOf(kind).filter(([, number]) => number !== 0))]),
  )
}

/** Adds the counts in `all` by name and subtracts the counts in `less`. Leaves out zeros. */
function sumEffects(all: Effects[], less: Effects[] = []): Effects {
  const total = (kind: Kind) => {
    const counts: Record<string, number> = {}
    const add = (effects: Effects, factor: number) => {
      for (const [name, times] of Object.entries(effects[kind] ?? {}))
        counts[name] = (counts[name] ?? 0) + factor * times
    }
    for (const effects of all) add(effects, 1)
    for (const effects of less) add(effects, -1)
    return Object.fromEntries(Object.entries(counts).filter(([, times]) => times !== 0))
  }
  return Object.fromEntries(KINDS.map((kind) => [kind, total(kind)]))
}

/** Counts the events, log entries and jobs that are stored in the database of one application. */
export class EffectRecorder {
  readonly #pool: Pool
  #knownRows = new Set<string>()
  #preparedEffects: Effects[] = []
  /** Whether this application runs jobs. If so, `end` waits for the jobs of the test before counting. */
  hasWorker = false
  readonly calls: WatchedCalls

  constructor(pool: Pool) {
    this.#pool = pool
    this.calls = new WatchedCalls(pool)
    openRecorders.add(this)
  }

  async begin(): Promise<void> {
    this.#preparedEffects = []
    this.calls.clear()
    this.#knownRows = new Set((await this.#readRows()).map(({ id }) => id))
  }

  /** Excludes effects of a fixture, so that tests with this fixture need not list them. */
  prepared(effects: Effects): void {
    this.#preparedEffects.push(effects)
  }

  /** Returns the effects since `begin`, without the effects of fixtures. */
  async end(): Promise<Effects> {
    if (this.hasWorker) await this.#waitForJobs()
    const counted = (await this.#newRows()).map(({ kind, name }): Effects => ({ [kind]: { [name]: 1 } }))
    return sumEffects(counted, this.#preparedEffects)
  }

  /** Returns one sentence for each refused call that wrote to the database, and for each wrong entry of the activity log. */
  async findFaults(): Promise<string[]> {
    const entries = (await this.#newRows()).filter(({ kind }) => kind === 'activity').map(({ id }) => id)
    return [...this.calls.faults, ...(await findActivityFaults(this.#pool, entries))]
  }

  /** Keeps the effects of an application that is closed before its test ends. */
  async close(): Promise<void> {
    openRecorders.delete(this)
    if (testDepth === 0) return
    closedEffects.push(await this.end())
    closedFaults.push(...(await this.findFaults()))
    this.calls.report()
  }

  /** Waits until the jobs of the test, and the jobs that they send, are done or wait for a retry. */
  async #waitForJobs(): Promise<void> {
    for (const end = performance.now() + SETTLE_MS_MAX; ; await sleep(10)) {
      const jobs = (await this.#newRows()).filter(({ kind }) => kind === 'jobs').map(({ id }) => id)
      const { rows } = await this.#pool.query<{ name: string }>(
        `select name from pgboss.job where id = any($1) and state in ('created', 'active')`,
        [jobs],
      )
      if (rows.length === 0) return
      const names = rows.map(({ name }) => name).join(', ')
      assert.ok(performance.now() < end, `the test is over, and these jobs are not: ${names}`)
    }
  }

  async #newRows(): Promise<Row[]> {
    return (await this.#readRows()).filter(({ id }) => !this.#knownRows.has(id))
  }

  async #readRows(): Promise<Row[]> {
    return (await this.#pool.query<Row>(EFFECTS)).rows
  }
}
