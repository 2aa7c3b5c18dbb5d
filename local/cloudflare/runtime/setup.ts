import type { SystemAccount } from '../../world/account.ts'
import type { LogLine, UncaughtException } from '../observability/tail/lines.ts'
import type { TailReport } from '../observability/tail/sessions.ts'
import type { Blobs } from '../store/blobs.ts'
import type { StandIns } from './egress.ts'
import type { PlannedWorker } from '../workerd/plan.ts'
import type { RpcHandlers } from '../workerd/rpc.ts'

/** What a process of an app group needs in addition to the plan. */
export interface InstanceSetup {
  blobs: Blobs
  /** Returns the folder with a version's asset files; null when the version has none. */
  assetFolder(worker: PlannedWorker): Promise<string | null>
  appsPort: number
  egressAllow: string[]
  standIns: StandIns
  /** The state folder; null in the temporary process that validates an upload. */
  stateDir: string | null
  runFile: string
  /** How workerd is run: its path, the command prefix from `workerdGuard`, its OS account, and the parent folder of all sockets. */
  workerd: { path: string; guard: string; account: SystemAccount | null; socketFolder: string }
  socketDir: string
  /**
   * When set, the entry module of the worker `script` is replaced by `source`, which returns the names of the
   * worker's exports.
   */
  inspect?: { script: string; source(mainModule: string): string }
  /** Handles calls from the shims: classes in the workerd process that replace products of the cloud and call this process. */
  rpcHandlers: RpcHandlers
  onLog(message: string): void
  /**
   * Receives the reports of invocations that workers with observability or a tail session send. Returns the
   * names of workers with an open tail session.
   */
  onReports(reports: TailReport[]): string[]
  /** Receives console output and uncaught errors of a worker whose invocations are not reported. */
  onWritten(written: LogLine | UncaughtException): void
  onRestart(): void
}
