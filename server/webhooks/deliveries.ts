import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import type { OutboundOptions } from '../lib/outbound.ts'
import type { PlatformPorts } from '../platform.ts'
import { startDrain } from '../relay/drain.ts'
import { DELIVERIES_CHANNEL } from '../sql/webhooks.ts'
import { openSender, type WebhookSender } from './attempt.ts'
import { claimDeliveries, type ClaimedDelivery, releaseClaimsOfDeadProcesses } from './claim.ts'
import { deliveryOutcome, releaseDeliveries, UnsettledOutcomes } from './settle.ts'
import { Slots } from './slots.ts'
import { secretPlace } from './webhooks.ts'

/**
 * The largest number of deliveries in one claim. The number is small, so that the outcomes of some deliveries are stored while the next
 * deliveries are claimed.
 */
const CLAIM_MAX = 64
/** The minimum time between the starts of two rounds. In a round, outcomes are stored and deliveries are claimed. */
const ROUND_INTERVAL_MS = 2
/** When the process stops, requests in flight may take this long to finish. */
const FINISH_MS_MAX = 2000

export interface DeliveryOptions {
  /** Returns this process's current number in the table `processes`. */
  processId: () => number
  /** Resolves host names; tests replace it. */
  lookup?: OutboundOptions['lookup']
}

/**
 * Sends due deliveries until it is stopped. A round stores the outcomes of finished attempts and claims as
 * many deliveries as there are free slots. Attempts run between the rounds, so a slow endpoint occupies only
 * its own slots.
 */
export function startDeliveries(
  platform: PlatformPorts<'config' | 'pool' | 'keyring' | 'listener' | 'metrics'>,
  { processId, lookup }: DeliveryOptions,
): { stop(): Promise<void> } {
  const { config, clock, listener, log } = platform
  const pool = openRelayPool(platform)
  const sender = openSender({ allow: config.outboundAllow, ...(lookup && { lookup }) })
  const slots = new Slots()
  const running = new Set<Promise<void>>()
  const outcomes = new UnsettledOutcomes()
  let isCut = false
  let hasFreed = false
  let after = ''
  let turnAt = 0

  const attemptDelivery = async (delivery: ClaimedDelivery): Promise<void> => {
    slots.take(delivery.endpointId)
    const succeeded = await signAndSend(platform, sender, delivery)
    slots.release(delivery.endpointId, succeeded)
    // The request was aborted because this process stops. The abort does not count as a failure, and the next process repeats the request.
    if (isCut && !succeeded) return
    const { eventId, endpointId } = delivery
    const retry = { now: clock.now(), baseSeconds: config.deliveryRetrySeconds }
    const outcome = deliveryOutcome(delivery, succeeded, retry)
    const isDropped = outcome.nextAt === null && !succeeded
    platform.metrics?.deliveryAttempted(succeeded ? 'delivered' : isDropped ? 'dropped' : 'failed')
    if (isDropped)
      log.warn({ event: eventId, endpoint: endpointId }, 'event dropped: every attempt to deliver it failed')
    outcomes.add(outcome)
    drain.wake()
  }

  const startAttempt = (delivery: ClaimedDelivery): void => {
    const attempted = attemptDelivery(delivery).finally(() => running.delete(attempted))
    running.add(attempted)
  }

  const claimRound = async (): Promise<number> => {
    const limit = Math.min(CLAIM_MAX, slots.free)
    if (limit === 0) return 0
    const now = clock.now()
    const claimed = await claimDeliveries(pool, {
      after,
      now,
      budget: slots.budget(),
      limit,
      processId: processId(),
    })
    for (const delivery of claimed) startAttempt(delivery)
    // Round robin: after a full claim the next claim starts with the endpoint after the last claimed one, otherwise with the first
    // endpoint.
    const wasCircled = after === ''
    after = claimed.length < limit ? '' : highestEndpointId(claimed)
    return claimed.length === 0 && !wasCircled ? claimRound() : claimed.length
  }

  const drain = startDrain({
    name: 'deliveries',
    channel: DELIVERIES_CHANNEL,
    listener,
    log,
    async work(signal) {
      // After a pause the next round starts immediately. During many deliveries the next round waits for `ROUND_INTERVAL_MS`, so that one
      // statement stores several outcomes.
      const earlyMs = turnAt + ROUND_INTERVAL_MS - performance.now()
      if (earlyMs > 0) await sleep(earlyMs)
      turnAt = performance.now()
      if (!hasFreed) await releaseClaimsOfDeadProcesses(pool)
      hasFreed = true
      // Outcomes are stored while the next deliveries are claimed. That is safe, because a delivery stays claimed until
      // its outcome is stored.
      const [settled, claimed] = await Promise.allSettled([
        outcomes.store(pool),
        signal.aborted ? 0 : claimRound(),
      ])
      if (settled.status === 'rejected') throw settled.reason
      if (claimed.status === 'rejected') throw claimed.reason
      return { handled: settled.value + claimed.value }
    },
  })

  const stopDeliveries = async (): Promise<void> => {
    await drain.stop()
    await Promise.race([Promise.all(running), sleep(FINISH_MS_MAX, undefined, { ref: false })])
    isCut = true
    await sender.close()
    await Promise.all(running)
    try {
      await outcomes.store(pool)
      await releaseDeliveries(pool, processId())
    } finally {
      await pool.end()
    }
  }
  let stopped: Promise<void> | null = null
  return { stop: () => (stopped ??= stopDeliveries()) }
}

/** Returns whether the endpoint accepted the delivery. */
async function signAndSend(
  { clock, keyring, log }: PlatformPorts<'keyring'>,
  sender: WebhookSender,
  delivery: ClaimedDelivery,
): Promise<boolean> {
  try {
    const secret = keyring.open(delivery.secret, secretPlace(delivery.endpointId, delivery.orgId))
    return await sender.send({ ...delivery, secret }, clock.now())
  } catch (error) {
    log.error({ err: error, endpoint: delivery.endpointId }, 'a delivery could not be signed')
    return false
  }
}

const highestEndpointId = (claimed: ClaimedDelivery[]): string =>
  claimed.reduce((id, { endpointId }) => (endpointId > id ? endpointId : id), '')

/**
 * Settings for statements that run thousands of times a second on a table that is empty at one moment and huge at the next. Plans are
 * cached, because planning costs more than running. Plans are forced to use the index, because a plan made for the empty table would scan
 * the huge table. Commits do not wait for the disk. A crash of the machine then loses claims, which expire anyway, and outcomes, whose
 * attempts are repeated.
 */
const PLANNER_SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  synchronous_commit: 'off',
}

/** Opens two connections only for deliveries: one stores outcomes while the other claims deliveries. */
function openRelayPool({ pool, log }: PlatformPorts<'pool'>): Pool {
  const settings = Object.entries(PLANNER_SETTINGS).map(([name, value]) => `-c ${name}=${value}`)
  const relay = new Pool({ ...pool.options, max: 2, options: settings.join(' ') })
  relay.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'))
  relay.on('connect', (client) =>
    client.on('error', (error) => log.debug({ err: error }, 'database connection lost')),
  )
  return relay
}
