import { accountOf, scheduleOf, type Tier } from '../kernel/objects/objects.ts'
import type { Part, PartContext } from '../kernel/objects/part.ts'
import type { Head, Methods } from './object-types.ts'
import { TimerRunner } from './timer-runner.ts'
import type { ScheduledJob } from './types.ts'

interface ScheduleReads {
  /** Returns the schedules, sorted by the time of the next run. */
  scheduledJobs(tier: Tier): Promise<ScheduledJob[]>
  /** Stops all schedules until the admin worker activates a release again. */
  restSchedules(tier: Tier): Promise<null>
}

const createSchedules = async (parts: PartContext) => (await parts.load()).createSchedules(parts)

const createTimers = (parts: PartContext) => new TimerRunner(parts, parts.partition)

export const part: Part<Methods, Head, ScheduleReads> = {
  methods: {
    planSchedules: (parts) => async (specs) => (await parts.once(createSchedules)).plan(specs),
    restSchedules: (parts) => async () => (await parts.once(createSchedules)).suspend(),
    scheduledJobs: (parts) => async () => (await parts.once(createSchedules)).list(),
    timers: (parts) => async (kind, ask) => parts.once(createTimers).answer(kind, ask),
    countTimers: (parts) => async () => parts.once(createTimers).count(),
  },
  reads: {
    scheduledJobs: (at) => (tier) => scheduleOf(at.objects, tier).scheduledJobs(),
    restSchedules: (at) => async (tier) => {
      await scheduleOf(at.objects, tier).restSchedules()
      return null
    },
  },
  wake: {
    schedule: { schedule: async (parts) => (await parts.once(createSchedules)).wake() },
    partition: { timers: (parts) => parts.once(createTimers).wake() },
  },
  erasure: {
    count: async ({ objects, tier, userId }) => ({
      removed: { timers: await accountOf(objects, tier, userId).countTimers() },
    }),
  },
  moves: { timers: (parts) => parts.once(createTimers) },
}
