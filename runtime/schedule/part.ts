import { scheduleOf, type Tier } from '../kernel/objects.ts'
import type { Part, PartPlace } from '../kernel/part.ts'
import type { Head, Methods } from './object-types.ts'
import { TimerRunner } from './timer-runner.ts'
import type { ScheduledJob } from './types.ts'

interface ScheduleReads {
  /** Returns the schedule that is due next first. */
  scheduledJobs(tier: Tier): Promise<ScheduledJob[]>
  /** Stops all schedules until the next `activate`. */
  restSchedules(tier: Tier): Promise<null>
}

const schedules = async (parts: PartPlace) => {
  const { ScheduleRunner } = await import('../data/lazy-parts.ts')
  return new ScheduleRunner(parts)
}

const timers = (parts: PartPlace) => new TimerRunner(parts, parts.partition)

export const part: Part<Methods, Head, ScheduleReads> = {
  methods: {
    planSchedules: (parts) => async (specs) => (await parts.once(schedules)).plan(specs),
    restSchedules: (parts) => async () => (await parts.once(schedules)).rest(),
    scheduledJobs: (parts) => async () => (await parts.once(schedules)).list(),
    timers: (parts) => async (kind, ask) => parts.once(timers).answer(kind, ask),
    countTimers: (parts) => async () => parts.once(timers).count(),
  },
  reads: {
    scheduledJobs: (at) => (tier) => scheduleOf(at.objects, tier).scheduledJobs(),
    restSchedules: (at) => async (tier) => {
      await scheduleOf(at.objects, tier).restSchedules()
      return null
    },
  },
  wake: {
    schedule: { schedule: async (parts) => (await parts.once(schedules)).wake() },
    partition: { timers: (parts) => parts.once(timers).wake() },
  },
  moves: { timers: (parts) => parts.once(timers) },
}
