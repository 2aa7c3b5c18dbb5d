import type { Account } from '../../world/account.ts'
import type { Line, Uncaught } from '../observability/tail/lines.ts'
import type { Report } from '../observability/tail/sessions.ts'
import type { Blobs } from '../scripts/blobs.ts'
import type { PlannedWorker } from './plan.ts'
import type { RpcHandlers } from './shims/rpc-handlers.ts'

/** What a process of an app group is built with, besides its plan. */
export interface InstanceSetup {
  blobs: Blobs
  /** Folder of a script's asset files of one version. */
  assetFolder(worker: PlannedWorker): Promise<string | null>
  appsPort: number
  egressAllow: string[]
  /** Null: nothing is kept, for a validation boot. */
  stateDir: string | null
  runFile: string
  /** The program, what it is started through, the account it runs as and where the sockets of all processes are. */
  workerd: { path: string; guard: string; account: Account | null; socketFolder: string }
  /** Where this process listens. */
  socketDir: string
  /** Exchanges the entry of one worker by a module that reports what it exports. */
  inspect?: { script: string; source(mainModule: string): string }
  /** Answers what classes of the shims worker ask. */
  rpcHandlers: RpcHandlers
  onLog(message: string): void
  /** Takes in what observed workers did and answers whom somebody listens to. */
  onReports(reports: Report[]): string[]
  /** Takes in what a worker wrote whose invocations are not kept. */
  onWritten(written: Line | Uncaught): void
  onRestart(): void
}
