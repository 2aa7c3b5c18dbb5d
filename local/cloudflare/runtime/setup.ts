import type { Account } from '../../world/account.ts'
import type { Line, Uncaught } from '../observability/tail/lines.ts'
import type { Report } from '../observability/tail/sessions.ts'
import type { Blobs } from '../scripts/blobs.ts'
import type { StandIns } from './egress.ts'
import type { PlannedWorker } from './plan.ts'
import type { RpcHandlers } from './shims/rpc.ts'

/** What a process of an app group needs in addition to the plan. */
export interface InstanceSetup {
  blobs: Blobs
  /** Returns the folder with the asset files of a version; null when it has none. */
  assetFolder(worker: PlannedWorker): Promise<string | null>
  appsPort: number
  egressAllow: string[]
  standIns: StandIns
  /** The state folder; null for a validation, which keeps no state. */
  stateDir: string | null
  runFile: string
  /** How workerd is run: its path, command prefix and account, and the parent folder of all sockets. */
  workerd: { path: string; guard: string; account: Account | null; socketFolder: string }
  socketDir: string
  /** Replaces the entry of one worker by a module that reports its exports. */
  inspect?: { script: string; source(mainModule: string): string }
  /** Handles calls of the shims in this process's workers. */
  rpcHandlers: RpcHandlers
  onLog(message: string): void
  /** Receives reports of observed workers and returns the names of workers with an open tail session. */
  onReports(reports: Report[]): string[]
  /** Receives the output of a worker whose invocations are not recorded. */
  onWritten(written: Line | Uncaught): void
  onRestart(): void
}
