import type { Method, HandlersOf } from '../kernel/objects/calls.ts'
import type { Manifest } from '../kernel/manifest.ts'
import type { Batch } from '../data/frames.ts'
import type { ParsedQuery } from '../data/query.ts'
import type { BudgetCalls } from './budget.ts'
import type { DirectoryRow } from './frames.ts'
import type { DirectoryPage } from './page.ts'
import type { DirectoryStore, Search } from './store.ts'

/** The RPC methods of the directory, the Durable Object that indexes the records of all partitions. */
export interface Methods {
  budget: Method<BudgetCalls>
  dirPrepare(hash: string, manifest: Manifest): Promise<void>
  dirActivate(hash: string): Promise<void>
  dirActive(): Promise<{ hash: string; manifest: Manifest } | null>
  dirManifest(hash: string): Promise<Manifest | null>
  dirApply(partition: string, batch: Batch): Promise<void>
  dirForget(partition: string): Promise<void>
  dirCount(partition: string): Promise<number>
  /** Returns all partitions that were ever written to. */
  dirPartitions(): Promise<string[]>
  dirTotals(): Promise<Record<string, { count: number; updatedAt: string }>>
  dirNewest(collection: string, limit: number): Promise<DirectoryRow[]>
  dirPage(collection: string, query: ParsedQuery): Promise<DirectoryPage>
  dirHolds(collection: string, partition: string, id: string): Promise<boolean>
  dirSearch(collection: string, search: Search): Promise<DirectoryRow[]>
  dirSpend(jti: string, expiresAt: number): Promise<boolean>
}

declare module '../kernel/objects/part.ts' {
  interface PartContext {
    /** Used only by code that runs in the directory object. */
    dir: DirectoryStore
    budget: HandlersOf<BudgetCalls>
  }
}
