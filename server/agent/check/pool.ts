import type { Logger } from 'pino'
import type { AppBundle } from '../bundle.ts'
import type { AppTree } from '../tree.ts'
import type { CheckReport } from './errors.ts'

export type { CheckError, CheckReport } from './errors.ts'
export { describeReport, errorSignature } from './errors.ts'

/** Child processes that bundle, check and run generated code; one job at a time each, first come first served. */
export interface CheckerPool {
  /** Runs all phases over a complete tree (agent-owned and locked files). */
  check(tree: AppTree, options: { enabled: string[] }): Promise<CheckReport>
  /** Bundles a tree that was checked before, minified, for a deployment. */
  bundle(tree: AppTree): Promise<AppBundle>
  close(): Promise<void>
}

export interface CheckerOptions {
  size: number
  log: Logger
}
