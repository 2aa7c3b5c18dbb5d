import { accountOf, directoryOf, type Tier } from '../kernel/objects/objects.ts'
import type { Part, PartContext } from '../kernel/objects/part.ts'
import type { Head, Methods } from './object-types.ts'
import { meterListHandlers, ObjectMeters } from './objects.ts'
import { meterLimitsOf } from './settings.ts'
import type { MeterUsage } from './types.ts'
import { readUsage } from './usage.ts'

interface MeterReads {
  meterUsage(tier: Tier): Promise<{ limits: MeterUsage[] }>
}

const createMeters = (parts: PartContext) => {
  const { ctx, env, tier, partition: subject, hold } = parts
  return new ObjectMeters({
    ctx,
    hold,
    exists: () => parts.isKept,
    wake: () => parts.own.requestFlush(),
    report: parts.reporter('meter'),
    send: (counters) => directoryOf(env.OBJECTS, tier).meters('apply', { subject, counters }),
  })
}

const createMeterList = (parts: PartContext) =>
  meterListHandlers(parts.ctx.storage, (subject) => parts.isKnown(subject))

export const part: Part<Methods, Head, MeterReads> = {
  methods: {
    meter: (parts) => async (kind, ask) => parts.once(createMeters).answer(kind, ask),
    countMeters: (parts) => async () => parts.once(createMeters).count(),
    meters: (parts) => async (kind, ask) => parts.once(createMeterList)[kind](ask),
  },
  reads: {
    meterUsage: (at) => (tier) => readUsage(at.objects, tier, meterLimitsOf(at.env)),
  },
  erasure: {
    count: async ({ objects, tier, userId }) => ({
      removed: { meterCounts: await accountOf(objects, tier, userId).countMeters() },
    }),
    forget: ({ objects, tier, userId }) => directoryOf(objects, tier).meters('forget', { subject: userId }),
  },
  moves: { meters: (parts) => parts.once(createMeters) },
  flush: (parts) => parts.once(createMeters).flush(),
}
