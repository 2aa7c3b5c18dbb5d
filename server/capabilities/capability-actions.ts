import * as z from 'zod'
import type { Cloud } from '../cloudflare/client.ts'
import type { AccountWorkerParts } from '../capability-declaration/capability.ts'
import type { Db, Trx } from '../db/database.ts'
import type { ProjectIds } from '../db/tables/projects.ts'
import type { PlatformPorts } from '../platform.ts'
import type { AppTier } from '../resource-names.ts'
import type { MakingPorts, ProjectRef, ResourceWork } from '../resources/work.ts'
import type { CompiledApp } from './operator/activate.ts'

export type ResourceAccess = Pick<ResourceWork, 'platform' | 'cloud' | 'project'>

/** A resource of the account that calls the app's worker, such as a queue. Each tier has a separate trigger. */
export interface Trigger {
  /** Starts or resumes the calls to a worker that already serves a version. Idempotent. `app` is null for an invalid manifest. */
  startCalls: (work: ResourceWork, tier: AppTier, app: CompiledApp | null) => Promise<void>
  /** Stops the calls until `startCalls`. Messages and workflow runs wait until then. */
  pauseCalls: (work: ResourceAccess, tier: AppTier) => Promise<void>
  /** Returns why the account does not call the live app's worker, or null when it does. */
  findProblem: (cloud: Cloud, project: ProjectRef) => Promise<string | null>
}

/** The result of the last check of a capability's keys at their provider. */
export const KeyCheck = z
  .object({
    ok: z.boolean(),
    /** The mode in which the live app sells. */
    mode: z.enum(['live', 'test']),
    checkedAt: z.string(),
    missing: z
      .array(
        z.object({
          mode: z.enum(['live', 'test']),
          resource: z.string(),
          need: z.enum(['read', 'write']),
          permission: z.string().describe('As Stripe names it.'),
        }),
      )
      .describe('Permissions that payments need and the stored keys lack.'),
  })
  .meta({ id: 'PaymentKeyCheck' })
export type KeyCheck = z.output<typeof KeyCheck>

/** New keys that the provider has accepted and that are not saved yet. */
export interface CheckedKeys {
  /** Stores the result of the check, and removes what belongs to the former keys at their provider. Call it after the keys are saved. */
  settle(): Promise<void>
}

/**
 * What the service does for a capability besides creating its resources. The actions of a capability are in `actions.ts` and
 * not in `declaration.ts`, because the build agent imports the declarations and must not depend on the database.
 */
export interface CapabilityActions {
  /**
   * Throws when the account does not have the Cloudflare product. Needed only for a capability without resources. For any other
   * capability, creating the resource fails.
   */
  requireProduct?: (cloud: Cloud) => Promise<void>
  /**
   * Applies at the provider what the capability stores in its own tables, such as mailboxes or products. Called after the resources were
   * created. Idempotent.
   */
  afterResources?: (work: ResourceWork<MakingPorts>) => Promise<void>
  /** Returns the values and bindings of the live worker that differ by account. Called only while the capability is enabled. */
  readLive?: (
    platform: PlatformPorts<'accounts'>,
    project: ProjectRef,
    accountId: string,
  ) => Promise<AccountWorkerParts>
  /**
   * Returns what a person still has to set up outside the settings, one sentence for each step. `app` is the release that is live, or
   * null.
   */
  listMissing?: (db: Db, project: ProjectIds, app: CompiledApp | null) => Promise<string[]>
  /** Checks new keys at their provider before they are saved, and reads the stored result for the current keys. */
  keyCheck?: {
    check: (
      platform: PlatformPorts<'accounts' | 'keyring'>,
      project: ProjectIds,
      change: { secrets?: Record<string, string | null> | undefined; actor: string },
    ) => Promise<CheckedKeys | null>
    read: (db: Db | Trx, project: ProjectIds) => Promise<KeyCheck | null>
  }
  trigger?: Trigger
  /** Called after a tier has switched to a version with the bindings of the capability. */
  whenServing?: (work: ResourceWork, tier: AppTier) => Promise<void>
  /** Called when a tier stops serving with the capability. The next publication calls `whenServing`. */
  whenStopped?: (work: ResourceAccess, tier: AppTier) => Promise<void>
}
