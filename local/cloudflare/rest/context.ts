import type { Faults } from '../../faults/faults.ts'
import type { Log } from '../../world/log.ts'
import type { Journal } from '../../world/journal.ts'
import type { Store } from '../../world/store.ts'
import type { Apps } from '../runtime/apps.ts'
import type { Blobs } from '../scripts/blobs.ts'
import type { Rendering } from '../products/browser/rendering.ts'
import type { Ticker } from '../products/cron/ticker.ts'
import type { Deliveries } from '../products/queues/deliveries.ts'
import type { AiBackend } from '../products/ai/backend.ts'
import type { RelayServer } from '../products/email/relay.ts'
import type { Videos } from '../products/stream/videos.ts'
import type { TailSessions } from '../observability/tail/sessions.ts'
import type { Telemetry } from '../observability/telemetry/telemetry.ts'
import type { ResourceData } from '../products/storage/data.ts'
import type { Token } from '../accounts/tokens.ts'
import type { Account } from '../types.ts'
import type { WorkflowInstances } from '../products/workflows/instances.ts'
import type { Zone } from '../products/zones/store.ts'

/** Dependencies of the REST routes. */
export interface Cloud {
  store: Store
  blobs: Blobs
  apps: Pick<
    Apps,
    | 'validate'
    | 'group'
    | 'afterChange'
    | 'deleteObjectData'
    | 'listen'
    | 'listObjects'
    | 'hosts'
    | 'warm'
    | 'starts'
  >
  telemetry: Telemetry
  /** The model server behind Workers AI. */
  ai: AiBackend
  videos: Videos
  rendering: Rendering
  tails: TailSessions
  /** Data of KV namespaces, databases and buckets. */
  data: Pick<ResourceData, 'isStored' | 'request' | 'delete' | 'relocating'>
  /** Instances of workflows. */
  instances: Pick<WorkflowInstances, keyof WorkflowInstances>
  /** Delivery of queue messages. */
  queues: Pick<Deliveries, 'check'>
  /** Cron triggers. */
  ticker: Pick<Ticker, 'check'>
  journal: Journal
  /** Null when fault injection is off. */
  faults: Faults | null
  log: Log
  /** Milliseconds since 1970. */
  now(): number
  /** Factor on simulated delays; below 1 is faster. */
  timeScale: number
  /** A mail server for mail of the accounts. */
  relay: RelayServer | null
  /** Signs the tokens of asset uploads. */
  signingKey: string
}

/**
 * What the middleware of the REST API has found out when a route runs: the caller's token and account were
 * checked before.
 */
export interface ApiEnv {
  Variables: {
    token: Token
    account: Account
    /** Set on routes below a zone only. */
    zone: Zone
    /** The injected fault, for the journal. */
    fault: string
    isUnimplemented: boolean
  }
}
