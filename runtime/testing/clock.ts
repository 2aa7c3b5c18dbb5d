import { env } from 'cloudflare:workers'
import { manifest, manifestHash } from '../manifest.gen.ts'

/** A duration. Units that are left out count as 0. */
export interface Duration {
  days?: number
  hours?: number
  minutes?: number
  seconds?: number
}

/** The clock of the app under test. It only moves forward, and all tests share it. */
export interface TestClock {
  now(): Date
  /** Moves the clock and runs the schedules, timers and flows that become due. */
  advance(by: Duration): Promise<void>
  /** Moves the clock to `at`, which must be later than the clock's time. */
  set(at: Date | string): Promise<void>
}

interface ClockBinding {
  set(aheadMs: number): Promise<void>
}
/** The method of the admin worker that makes a release the live one. */
interface Operator {
  activate(tier: 'production', hash: string, of: object): Promise<unknown>
}

/**
 * The clocks of the tests, the app's worker, the Durable Objects and the flows, in the order in which they
 * are set. Setting the clocks of the objects and flows runs due jobs in the app's worker, so that worker's clock must
 * be set before them. An app without objects or flows lacks their bindings.
 */
const CLOCK_BINDINGS = ['TESTS_CLOCK', 'APP_CLOCK', 'LIVE_CLOCK', 'FLOW_CLOCK']
const MS_PER_UNIT = { days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1000 }

let aheadMs = 0
let isServing = false

async function moveClock(byMs: number): Promise<void> {
  if (Number.isNaN(byMs)) throw new Error('This is no time.')
  if (byMs < 0) throw new Error(`The clock only moves forward. It is ${new Date().toISOString()}.`)
  // Activate the release first, because its schedules count from that moment.
  if (!isServing && manifest.schedules !== undefined)
    await (env['OPERATOR'] as Operator | undefined)?.activate('production', manifestHash, manifest)
  isServing = true
  aheadMs += byMs
  for (const name of CLOCK_BINDINGS) await (env[name] as ClockBinding | undefined)?.set(aheadMs)
}

export const clock: TestClock = {
  now: () => new Date(),
  advance: ({ days = 0, hours = 0, minutes = 0, seconds = 0 }) =>
    moveClock(
      days * MS_PER_UNIT.days +
        hours * MS_PER_UNIT.hours +
        minutes * MS_PER_UNIT.minutes +
        seconds * MS_PER_UNIT.seconds,
    ),
  set: (at) => moveClock(new Date(at).getTime() - Date.now()),
}
