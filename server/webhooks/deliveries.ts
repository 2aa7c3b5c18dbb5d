import { setTimeout as sleep } from 'node:timers/promises'
import { DELIVERIES_CHANNEL } from '../events/emit.ts'
import type { OutboundOptions } from '../lib/outbound.ts'
import type { Platform } from '../platform.ts'
import { startDrain } from '../relay/drain.ts'
import { openPoster } from './attempt.ts'
import { type ClaimedDelivery, claimDeliveries, freeClaimsOfTheDead } from './claim.ts'
import { type Outcome, outcomeOf, releaseDeliveries, settleDeliveries } from './settle.ts'
import { openRelayPool } from './relay-pool.ts'
import { Slots } from './slots.ts'
import { secretPlace } from './webhooks.ts'

/** Few enough that the outcomes of one claim and the next claim overlap. */
const CLAIM_MAX = 64
/** Between the beginnings of two turns, at least. */
const GATHER_MS = 2
/** How long attempts under way may still take when the process stops. */
const FINISH_MS_MAX = 2000

export interface DeliveryOptions {
  /** This process's number in `processes`, as it is now. */
  processId: () => number
  /** The resolver; replaced in tests. */
  lookup?: OutboundOptions['lookup']
}

/**
 * Sends what is due to the endpoints that asked for it, until it is stopped. A turn writes down what has ended
 * and claims what fits into the free slots; the attempts themselves run beside the turns, so that a slow endpoint
 * holds up nothing but its own slots.
 */
export function startDeliveries(
  platform: Platform,
  { processId, lookup }: DeliveryOptions,
): { stop(): Promise<void> } {
  const { config, clock, keyring, listener, log } = platform
  const pool = openRelayPool(platform)
  const poster = openPoster({ allow: config.outboundAllow, ...(lookup && { lookup }) })
  const slots = new Slots()
  const running = new Set<Promise<void>>()
  let outcomes: Outcome[] = []
  let isCut = false
  let hasFreed = false
  let after = ''
  let turnAt = 0

  const send = async (delivery: ClaimedDelivery): Promise<boolean> => {
    try {
      const secret = keyring.open(delivery.secret, secretPlace(delivery.endpointId, delivery.orgId))
      return await poster.post({ ...delivery, secret }, clock.now())
    } catch (error) {
      log.error({ err: error, endpoint: delivery.endpointId }, 'a delivery could not be signed')
      return false
    }
  }

  const attempt = async (delivery: ClaimedDelivery): Promise<void> => {
    slots.take(delivery.endpointId)
    const succeeded = await send(delivery)
    slots.giveBack(delivery.endpointId, succeeded)
    // Cut off by the end of this process: nobody's failure, and whoever comes next begins again.
    if (isCut && !succeeded) return
    const { eventId, endpointId } = delivery
    const retry = { now: clock.now(), baseSeconds: config.deliveryRetrySeconds }
    const outcome = outcomeOf(delivery, succeeded, retry)
    if (outcome.nextAt === null && !succeeded)
      log.warn({ event: eventId, endpoint: endpointId }, 'event dropped: every attempt to deliver it failed')
    outcomes.push(outcome)
    drain.wake()
  }

  const start = (delivery: ClaimedDelivery): void => {
    const attempted = attempt(delivery).finally(() => running.delete(attempted))
    running.add(attempted)
  }

  const settle = async (): Promise<number> => {
    const settled = outcomes
    if (settled.length === 0) return 0
    outcomes = []
    try {
      await settleDeliveries(pool, settled)
    } catch (error) {
      // Kept until they are written: the claims may lapse meanwhile, which costs a second delivery and loses none.
      outcomes = [...settled, ...outcomes]
      throw error
    }
    return settled.length
  }

  const claim = async (): Promise<number> => {
    const limit = Math.min(CLAIM_MAX, slots.free)
    if (limit === 0) return 0
    const now = clock.now()
    const claimed = await claimDeliveries(pool, {
      after,
      now,
      allowance: slots.allowance(),
      limit,
      processId: processId(),
    })
    for (const delivery of claimed) start(delivery)
    // Every endpoint gets its turn: the next claim goes on behind the last one served.
    const wasCircled = after === ''
    after = claimed.length < limit ? '' : last(claimed)
    return claimed.length === 0 && !wasCircled ? claim() : claimed.length
  }

  const drain = startDrain({
    name: 'deliveries',
    channel: DELIVERIES_CHANNEL,
    listener,
    log,
    async work(signal) {
      // At once after a pause; in a burst, what arrives within a moment shares its statements.
      const earlyMs = turnAt + GATHER_MS - performance.now()
      if (earlyMs > 0) await sleep(earlyMs)
      turnAt = performance.now()
      if (!hasFreed) await freeClaimsOfTheDead(pool)
      hasFreed = true
      // Side by side: what is being written down is still claimed, so it cannot be claimed again.
      const [settled, claimed] = await Promise.allSettled([settle(), signal.aborted ? 0 : claim()])
      if (settled.status === 'rejected') throw settled.reason
      if (claimed.status === 'rejected') throw claimed.reason
      return { handled: settled.value + claimed.value }
    },
  })

  const stop = async (): Promise<void> => {
    await drain.stop()
    await Promise.race([Promise.all(running), sleep(FINISH_MS_MAX, undefined, { ref: false })])
    isCut = true
    await poster.close()
    await Promise.all(running)
    try {
      await settle()
      await releaseDeliveries(pool, processId())
    } finally {
      await pool.end()
    }
  }
  let stopped: Promise<void> | null = null
  return { stop: () => (stopped ??= stop()) }
}

const last = (claimed: ClaimedDelivery[]): string =>
  claimed.reduce((id, { endpointId }) => (endpointId > id ? endpointId : id), '')
