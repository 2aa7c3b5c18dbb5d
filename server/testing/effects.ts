import assert from 'node:assert/strict'
import { afterEach, beforeEach } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { EventType } from '../events/event-types.ts'
import { listsEffects } from './unlisted-effects.ts'
import { WatchedCalls } from './watched-calls.ts'

/** The effects of a test that others act on or read later, by name, with their number. */
export interface Effects<Count = number> {
  /** Types of events. */
  events?: Partial<Record<EventType, Count>>
  /** Actions in the activity log; one that failed is followed by its status. */
  activity?: Record<string, Count>
  /** Names of the jobs that were sent. */
  jobs?: Record<string, Count>
}

/** `some` is at least one, and `any` may be none: how often depends on what runs at the same moment. */
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

/** The recorders of the applications that are open in this process. */
const open = new Set<EffectRecorder>()
/** What the current test lists. */
let listed: Effects<Expected> = {}
/** What the applications left that the current test opened and closed. */
let closed: Effects[] = []
/** Faults of the refused calls of those applications. */
let refused: string[] = []
/** How many tests inside each other run at the moment. */
let depth = 0

/**
 * Lists the events, entries of the activity log and jobs that the current test leaves. Each test of a file that opens
 * an application fails on an effect that it does not list; a test that lists nothing must leave nothing.
 */
export function leaves(effects: Effects<Expected>): void {
  listed = effects
}

// A script may open an application too, and has no tests.
if (process.env['NODE_ENV'] === 'test') listenToTests()

/** These hooks run for every test of the process, because this module is imported at the top of a file. */
function listenToTests(): void {
  beforeEach(async () => {
    if (++depth > 1) return
    listed = {}
    closed = []
    refused = []
    await Promise.all(Array.from(open, (recorder) => recorder.begin()))
  })
  afterEach(async (t) => {
    // A test that failed left anything; its own error says more.
    if (--depth > 0 || !('passed' in t) || !t.passed || !listsEffects(t.filePath)) return
    const recorders = [...open]
    const left = await Promise.all(recorders.map((recorder) => recorder.end()))
    const total = sum([...closed, ...left])
    assert.deepEqual(
      total,
      expectedOf(total),
      'what the test left behind (actual) is not what it lists (expected)',
    )
    assert.deepEqual([...refused, ...recorders.flatMap(({ calls }) => calls.faults)], [])
    for (const { calls } of recorders) calls.report()
  })
}

/** Returns what the test lists; `some` and `any` are replaced by the number that they allow. */
function expectedOf(total: Effects): Effects {
  const numbers = (kind: Kind) =>
    Object.entries<Expected>(listed[kind] ?? {}).map(([name, expected]) => {
      const number = (total[kind] as Record<string, number>)[name] ?? 0
      if (expected === 'any') return [name, number]
      return [name, expected === 'some' ? Math.max(number, 1) : expected]
    })
  return Object.fromEntries(
    KINDS.map((kind) => [kind, Object.fromEntries(numbers(kind).filter(([, number]) => number !== 0))]),
  )
}

/** Sums the counts by name, less others, without those that are zero. */
function sum(all: Effects[], less: Effects[] = []): Effects {
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

/** Counts what comes to exist in the database of one application. */
export class EffectRecorder {
  readonly #pool: Pool
  #known = new Set<string>()
  #prepared: Effects[] = []
  /** Whether a worker takes the jobs, so that a test ends only when those it sent are done. */
  hasWorker = false
  readonly calls: WatchedCalls

  constructor(pool: Pool) {
    this.#pool = pool
    this.calls = new WatchedCalls(pool)
    open.add(this)
  }

  async begin(): Promise<void> {
    this.#prepared = []
    this.calls.clear()
    this.#known = new Set((await this.#read()).map(({ id }) => id))
  }

  /** For fixtures: the test that uses this one does not list these effects. */
  prepared(effects: Effects): void {
    this.#prepared.push(effects)
  }

  /** Returns the effects since `begin`, without those of fixtures. */
  async end(): Promise<Effects> {
    if (this.hasWorker) await this.#settle()
    const counted = (await this.#new()).map(({ kind, name }): Effects => ({ [kind]: { [name]: 1 } }))
    return sum(counted, this.#prepared)
  }

  /** Keeps the effects of an application that a test closes until the test ends. */
  async close(): Promise<void> {
    open.delete(this)
    if (depth === 0) return
    closed.push(await this.end())
    refused.push(...this.calls.faults)
    this.calls.report()
  }

  /** Waits until the jobs of the test, and those that they send, are done or wait for another try. */
  async #settle(): Promise<void> {
    for (const end = performance.now() + SETTLE_MS_MAX; ; await sleep(10)) {
      const jobs = (await this.#new()).filter(({ kind }) => kind === 'jobs').map(({ id }) => id)
      const { rows } = await this.#pool.query<{ name: string }>(
        `select name from pgboss.job where id = any($1) and state in ('created', 'active')`,
        [jobs],
      )
      if (rows.length === 0) return
      const names = rows.map(({ name }) => name).join(', ')
      assert.ok(performance.now() < end, `the test is over, and these jobs are not: ${names}`)
    }
  }

  async #new(): Promise<Row[]> {
    return (await this.#read()).filter(({ id }) => !this.#known.has(id))
  }

  async #read(): Promise<Row[]> {
    return (await this.#pool.query<Row>(EFFECTS)).rows
  }
}
