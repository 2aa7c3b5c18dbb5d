import { env } from 'cloudflare:workers'
import { manifest, manifestHash } from '../manifest.gen.ts'

/** Parts that are left out count as 0. */
export interface Duration {
  days?: number
  hours?: number
  minutes?: number
  seconds?: number
}

/** The clock of the app under test. It only moves forward, and all tests share it. */
export interface TestClock {
  now(): Date
  /** Also runs the schedules, timers and flows that became due. */
  advance(by: Duration): Promise<void>
  /** Moves the clock forward to this time. */
  set(at: Date | string): Promise<void>
}

interface ClockBinding {
  set(aheadMs: number): Promise<void>
}
/** The part of the operator's entry that makes a release the active one. */
interface Operator {
  activate(tier: 'production', hash: string, of: object): Promise<unknown>
}

/** The objects and the flows come last, because they call the app with what became due. An app without them has no such clock. */
const CLOCKS = ['TESTS_CLOCK', 'APP_CLOCK', 'LIVE_CLOCK', 'FLOW_CLOCK']
const MS = { days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1000 }

let aheadMs = 0
let isServing = false

async function move(byMs: number): Promise<void> {
  if (Number.isNaN(byMs)) throw new Error('This is no time.')
  if (byMs < 0) throw new Error(`The clock only moves forward. It is ${new Date().toISOString()}.`)
  // A schedule counts from the moment at which its release becomes active.
  if (!isServing && manifest.schedules !== undefined)
    await (env['OPERATOR'] as Operator | undefined)?.activate('production', manifestHash, manifest)
  isServing = true
  aheadMs += byMs
  for (const name of CLOCKS) await (env[name] as ClockBinding | undefined)?.set(aheadMs)
}

export const clock: TestClock = {
  now: () => new Date(),
  advance: ({ days = 0, hours = 0, minutes = 0, seconds = 0 }) =>
    move(days * MS.days + hours * MS.hours + minutes * MS.minutes + seconds * MS.seconds),
  set: (at) => move(new Date(at).getTime() - Date.now()),
}
