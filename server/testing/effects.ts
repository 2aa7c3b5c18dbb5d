import assert from 'node:assert/strict'
import { afterEach, beforeEach } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { EventType } from '../events/event-types.ts'

/** Effects that others act on or read later, by name, with their number. */
export interface Effects {
  events?: Partial<Record<EventType, number>>
  /** Actions in the activity log; one that failed is followed by its status. */
  activity?: Record<string, number>
  jobs?: Record<string, number>
}

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

/**
 * Fails each test of the `describe` it is called in on an event, an entry of the activity log or a job that the test
 * does not list with the function returned. A test that lists nothing must leave nothing. Tests of one application
 * must not run at the same time.
 */
export function recordEffects(app: () => { effects: EffectRecorder }): (effects: Effects) => void {
  let listed: Effects = {}
  beforeEach(async () => {
    listed = {}
    await app().effects.begin()
  })
  afterEach(async (t) => {
    // A test that failed left anything; its own error says more.
    if ('passed' in t && !t.passed) return
    assert.deepEqual(
      await app().effects.end(),
      { events: {}, activity: {}, jobs: {}, ...listed },
      'what the test left behind (actual) is not what it lists (expected)',
    )
  })
  return (effects) => {
    listed = effects
  }
}

export class EffectRecorder {
  readonly #pool: Pool
  #known = new Set<string>()
  #prepared: Effects[] = []
  /** Whether a worker takes the jobs, so that a test ends only when those it sent are done. */
  hasWorker = false

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async begin(): Promise<void> {
    this.#prepared = []
    this.#known = new Set((await this.#read()).map(({ id }) => id))
  }

  /** For fixtures: the test that uses this one does not list these effects. */
  prepared(effects: Effects): void {
    this.#prepared.push(effects)
  }

  /** Returns the effects since `begin`, without those of fixtures. */
  async end(): Promise<Effects> {
    if (this.hasWorker) await this.#settle()
    const rows = await this.#new()
    return Object.fromEntries(KINDS.map((kind) => [kind, this.#count(kind, rows)]))
  }

  #count(kind: Kind, rows: Row[]): Record<string, number> {
    const counts: Record<string, number> = {}
    const add = (name: string, times: number) => {
      counts[name] = (counts[name] ?? 0) + times
    }
    for (const row of rows) if (row.kind === kind) add(row.name, 1)
    for (const effects of this.#prepared)
      for (const [name, times] of Object.entries(effects[kind] ?? {})) add(name, -times)
    return Object.fromEntries(Object.entries(counts).filter(([, times]) => times !== 0))
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
