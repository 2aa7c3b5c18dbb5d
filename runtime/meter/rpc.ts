import { isTeamId, isUserId } from '../kernel/access/actor.ts'
import type { AsyncHandlersOf, PreparedResult } from '../kernel/objects/calls.ts'
import { ApiError, invalid, failureAnswer, unwrapResult } from '../kernel/errors.ts'
import { requireShortText, requireWholeNumber } from '../kernel/fields.ts'
import { directoryOf, partitionOf } from '../kernel/objects/objects.ts'
import { requirePerson } from '../kernel/access/person.ts'
import type { LiveContext } from '../kernel/objects/rpc-method.ts'
import { noMeterOwner, noSuchSpend } from './counters.ts'
import type { CounterCalls } from './objects.ts'
import { meterLimitsOf, meterWithLimit } from './settings.ts'
import type { Allowance, MeterCalls, MeterSpec } from './types.ts'
import { sha256Hex } from '../kernel/secrets.ts'
import { manifestReader } from '../kernel/objects/manifest-reader.ts'

const APP_SUBJECT = 'app'
const UNITS_PER_SPEND_MAX = 1_000_000_000
const ID_CHARS_MAX = 200

const metersOf = manifestReader(({ meters = [] }) => meters)

export async function handleMeter<Kind extends keyof MeterCalls>(
  context: LiveContext,
  hash: unknown,
  kind: Kind,
  ask: MeterCalls[Kind]['ask'],
): Promise<PreparedResult<MeterCalls[Kind]['answer']>> {
  try {
    const specs = await metersOf(context, String(hash))
    if (specs === null) return { ok: false, unprepared: true }
    return { ok: true, value: await meterHandlers(context, specs)[kind](ask) }
  } catch (error) {
    return failureAnswer(error)
  }
}

function meterHandlers(
  { objects, tier, env }: LiveContext,
  specs: readonly MeterSpec[],
): AsyncHandlersOf<MeterCalls> {
  const limits = meterLimitsOf(env)
  const directory = directoryOf(objects, tier)

  function specOf(key: unknown): MeterSpec {
    const spec = specs.find((one) => one.key === key)
    if (spec === undefined) throw invalid('key', 'is no meter of this app; app.json declares them')
    return spec
  }

  /**
   * Returns the partition whose Durable Object counts for a subject: a person, a team or `app`. Throws when the meter
   * counts another kind of subject.
   */
  function partitionFor({ per }: MeterSpec, subject: unknown): string {
    if (per === 'app') return APP_SUBJECT
    // The Durable Object of a person or a team checks by itself that they exist.
    const isSubject = per === 'user' ? isUserId : isTeamId
    if (isSubject(subject)) return subject
    throw invalid('subject', `must be the id of a ${per}`)
  }

  async function callCounters<Kind extends keyof CounterCalls>(
    partition: string,
    kind: Kind,
    ask: CounterCalls[Kind]['ask'],
  ): Promise<Allowance> {
    return unwrapResult(await partitionOf(objects, tier, partition).meter(kind, ask))
  }

  return {
    consume: async ({ key, subject, n, id }) => {
      const spec = specOf(key)
      const units = requireUnits(n)
      const partition = partitionFor(spec, subject)
      const meter = meterWithLimit(limits, spec)
      if (id === null || id === undefined)
        return callCounters(partition, 'consume', { meter, n: units, id: null })
      const hashed = requireSpendId(id)
      const claim = await directory.meters('claim', {
        id: hashed,
        claim: { key: spec.key, subject: partition },
      })
      if (claim === null) throw noMeterOwner()
      if (claim.key !== spec.key || claim.subject !== partition)
        throw new ApiError('conflict', 'id: was already used for another spend', { field: 'id' })
      return callCounters(partition, 'consume', { meter, n: units, id: hashed })
    },

    peek: async ({ key, subject, n }) => {
      const spec = specOf(key)
      const ask = { meter: meterWithLimit(limits, spec), n: requireUnits(n) }
      return callCounters(partitionFor(spec, subject), 'peek', ask)
    },

    refund: async ({ id }) => {
      const hashed = requireSpendId(id)
      const claim = await directory.meters('claimed', { id: hashed })
      if (claim === null) throw noSuchSpend()
      const meter = meterWithLimit(limits, specOf(claim.key))
      return callCounters(claim.subject, 'refund', { meter, id: hashed })
    },

    remaining: async ({ key, session }) => {
      const { userId } = await requirePerson(objects, tier, session)
      const spec = specOf(key)
      if (spec.per === 'team')
        throw invalid('key', 'is counted per team: read it in server code with meter.peek')
      return callCounters(partitionFor(spec, userId), 'peek', { meter: meterWithLimit(limits, spec), n: 1 })
    },
  }
}

const requireUnits = (n: unknown): number => requireWholeNumber('n', n, UNITS_PER_SPEND_MAX)

/** Returns a hash of the id, because the app may put anything into an id, even personal data. */
function requireSpendId(id: unknown): string {
  return sha256Hex(requireShortText('id', id, ID_CHARS_MAX))
}
