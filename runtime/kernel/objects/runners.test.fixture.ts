import assert from 'node:assert/strict'
import { mock } from 'node:test'
import type { ObjectState } from 'cloudflare:workers'
import { Alarms } from './alarms.ts'
import { Hold } from './hold.ts'
import type { JobInfo, JobOutcome } from './jobs.ts'
import type { Tier } from './objects.ts'
import type { RunnerDeps } from './runs.ts'
import { memoryStorage } from './sqlite.test.fixture.ts'

/** A Durable Object that starts jobs, and the app that runs the jobs. Storage survives a restart. The test sets the clock. */
export class RunnerWorld<Runner extends { wake(): void }> {
  readonly storage
  readonly hold
  readonly ran: { job: string; data: unknown; info: JobInfo }[] = []
  alarmAt: number | null = null
  /** Returns the outcome of a job. A promise may stay pending. */
  outcome: () => JobOutcome | Promise<JobOutcome> = () => ({ ok: true })
  readonly env: Record<string, unknown> = {
    APP: {
      timer: (job: string, data: unknown, info: JobInfo) => this.#runJob(job, data, info),
      schedule: (job: string, info: JobInfo) => this.#runJob(job, null, info),
    },
  }
  readonly #make: (deps: RunnerDeps) => Runner
  readonly #tier: Tier
  #work: Promise<unknown>[] = []
  runner!: Runner

  constructor(
    make: (deps: RunnerDeps) => Runner,
    { tier = 'production', attempts = 3 }: { tier?: Tier; attempts?: number } = {},
  ) {
    this.#make = make
    this.#tier = tier
    this.env['SCHEDULE_ATTEMPTS'] = String(attempts)
    const setAlarm = async (at: number) => void (this.alarmAt = at)
    this.storage = { ...memoryStorage(), setAlarm, deleteAll: async () => {} }
    this.hold = new Hold(this.storage)
    this.restart()
  }

  async #runJob(job: string, data: unknown, info: JobInfo): Promise<JobOutcome> {
    this.ran.push({ job, data, info })
    return await this.outcome()
  }

  /** Replaces the object by a new one that has only the stored data. */
  restart(): void {
    this.#work = []
    const { storage, env, hold } = this
    const ctx = { storage, waitUntil: (work: Promise<unknown>) => void this.#work.push(work) }
    this.runner = this.#make({
      ctx: ctx as unknown as ObjectState,
      env,
      tier: this.#tier,
      hold,
      alarms: new Alarms(storage),
    })
  }

  /** Moves the clock to the alarm and runs it. Does not wait for the jobs that it starts. */
  ring(): void {
    assert.ok(this.alarmAt !== null)
    mock.timers.setTime(Math.max(Date.now(), this.alarmAt))
    this.runner.wake()
  }

  async wake(): Promise<void> {
    this.ring()
    await Promise.all(this.#work.splice(0))
  }
}

/** Environments in which no job runs, each with the reason. */
export const WAITING_CASES: readonly [why: string, env: Record<string, unknown>, tier: Tier][] = [
  ['the schedules are paused', { SCHEDULE_PAUSED: 'on' }, 'production'],
  ['the app is not deployed', { APP: undefined }, 'production'],
  ['the capability is off', { APP_CALLERS: JSON.stringify(['hook']) }, 'production'],
  ['previews run nothing by themselves', { APP_PREVIEW: {} }, 'preview'],
]
