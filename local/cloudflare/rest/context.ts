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
  /** The model server that executes Workers AI requests. */
  ai: AiBackend
  videos: Videos
  rendering: Rendering
  tails: TailSessions
  data: Pick<ResourceData, 'isStored' | 'request' | 'delete' | 'relocating'>
  instances: Pick<WorkflowInstances, keyof WorkflowInstances>
  queues: Pick<Deliveries, 'check'>
  ticker: Pick<Ticker, 'check'>
  journal: Journal
  /** Decides which calls fail; null when fault injection is off. */
  faults: Faults | null
  log: Log
  /** Epoch milliseconds. */
  now(): number
  /** Factor on simulated delays; below 1 is faster. */
  timeScale: number
  /** Delivers mail of the apps; null: mail is only stored. */
  relay: RelayServer | null
  /** Signs the tokens of asset uploads. */
  signingKey: string
}

/** What the middleware sets before a route runs, after it has checked token and account. */
export interface ApiEnv {
  Variables: {
    token: Token
    account: Account
    /** Set only on routes below a zone. */
    zone: Zone
    /** The injected fault, recorded in the journal of API calls. */
    fault: string
    isUnimplemented: boolean
  }
}
