import type { Trx } from '../db/database.ts'
import type { PlatformPorts } from '../platform.ts'
import type { ProjectRef } from '../resources/work.ts'
import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
import type { Capability } from '../capability-declaration/capability.ts'
import { capabilitiesOf, capabilityOf } from '../capability-catalog/catalog.ts'
import { provisionKind } from '../capability-state/provision-kind.ts'
import { lockUndeletedProject } from '../projects/lifecycle.ts'
import { markRebindDue } from '../capability-state/rebind-due.ts'
import { saveSecrets } from '../capability-state/secrets.ts'
import { mergeSettings, readSettings, type Settings } from '../capability-state/settings.ts'

export type CapabilityOwner = Omit<ProjectRef, 'name'>

export interface CapabilityChange {
  enabled: boolean
  /** Settings to change. They are merged over the stored settings, field by field. */
  settings?: Record<string, unknown> | undefined
  /** Secrets to set. Null removes a secret. */
  secrets?: Record<string, string | null> | undefined
}

export interface DeclaredChange {
  declared: Capability
  change: CapabilityChange & { actor: string }
}

interface StoredCapability {
  enabled: boolean
  settings: JsonText<Settings>
  state: 'creating' | 'idle' | 'error'
}

/** The capabilities of a project with the changes made so far, before they are stored. */
class Draft {
  readonly #stored: Map<string, StoredCapability>
  readonly changed = new Map<string, StoredCapability>()

  constructor(stored: Map<string, StoredCapability>) {
    this.#stored = stored
  }

  get(key: string): StoredCapability | undefined {
    return this.#stored.get(key)
  }

  /** Returns the settings as they are stored, with those that this version no longer accepts; the defaults when none are stored. */
  settingsOf(declared: Capability): JsonText<Settings> {
    return this.get(declared.key)?.settings ?? JSON.stringify(readSettings(declared, undefined))
  }

  set(key: string, row: StoredCapability): void {
    this.#stored.set(key, row)
    this.changed.set(key, row)
  }

  enabled(): Set<string> {
    return new Set([...this.#stored].flatMap(([key, row]) => (row.enabled ? [key] : [])))
  }
}

/** Enables a capability, without a change of its settings and secrets. Otherwise like `saveCapabilities`. */
export async function enableCapability(
  platform: PlatformPorts<'jobs'>,
  trx: Trx,
  project: CapabilityOwner,
  { declared, actor }: { declared: Capability; actor: string },
): Promise<void> {
  await saveRows(platform, trx, project, [{ declared, change: { enabled: true, actor } }])
}

/**
 * Saves changes of one project in order, with their secrets. Also enables the capabilities that the changed ones depend on, and requests
 * one job for all changes. Returns for each change the keys of the dependent capabilities that the change disabled.
 */
export async function saveCapabilities(
  platform: PlatformPorts<'keyring' | 'jobs'>,
  trx: Trx,
  project: CapabilityOwner,
  changes: readonly DeclaredChange[],
): Promise<CapabilityKey[][]> {
  const saved = await saveRows(platform, trx, project, changes)
  for (const [index, { declared, change }] of changes.entries()) {
    // Secrets are saved after the settings, because the settings determine which secrets exist.
    const settings = saved[index]?.settings ?? {}
    if (change.settings !== undefined || change.secrets !== undefined)
      await saveSecrets(platform, trx, project, declared, { settings, given: change.secrets })
  }
  return saved.map(({ alsoOff }) => alsoOff)
}

async function saveRows(
  platform: PlatformPorts<'jobs'>,
  trx: Trx,
  project: CapabilityOwner,
  changes: readonly DeclaredChange[],
): Promise<{ settings: Settings; alsoOff: CapabilityKey[] }[]> {
  await lockUndeletedProject(trx, project)
  const draft = await readDraft(trx, project.id)
  const saved = changes.map((one) => applyChange(draft, one))
  await upsertCapabilities(trx, project, draft, platform.clock.now())
  if (saved.some(({ isRebound }) => isRebound)) await markRebindDue(trx, project)
  // All changes of the batch share one job. The job's actor is the actor of the last change that needs a job.
  const last = changes.findLast((_one, index) => saved[index]?.needsJob)
  if (last !== undefined) {
    const { org_id: orgId, id: projectId } = project
    await platform.jobs.send(trx, provisionKind, { orgId, projectId, actor: last.change.actor })
  }
  return saved
}

/**
 * Applies a change to the draft. Returns the merged settings, the keys of the other capabilities that it disabled, and whether the change
 * needs a job or an update of the app's bindings.
 */
function applyChange(draft: Draft, { declared, change }: DeclaredChange) {
  const before = draft.get(declared.key)
  // Switching on or off must also work with a stored setting that this version no longer accepts, so it leaves the settings as they are.
  const isEdited = change.settings !== undefined || change.secrets !== undefined
  const stored = isEdited
    ? JSON.stringify(mergeSettings(declared, before?.settings, change.settings))
    : draft.settingsOf(declared)
  const settings = readSettings(declared, stored)
  const isUnbound = !change.enabled && before?.enabled === true
  const dependents = isUnbound ? findDependents(declared, draft) : []
  const added = change.enabled ? missingDependencies(declared, settings, draft) : []
  for (const one of added)
    draft.set(one.key, { enabled: true, settings: draft.settingsOf(one), state: 'creating' })
  for (const one of dependents) {
    const state = draft.get(one.key)?.state === 'creating' ? 'creating' : 'idle'
    draft.set(one.key, { enabled: false, settings: draft.settingsOf(one), state })
  }
  // A disabled capability that was being created stays in `creating`, so that its job finishes the resource.
  const state = change.enabled || before?.state === 'creating' ? 'creating' : 'idle'
  draft.set(declared.key, { enabled: change.enabled, settings: stored, state })
  const isRebound = isUnbound || (change.secrets !== undefined && !change.enabled)
  return {
    settings,
    alsoOff: dependents.map(({ key }) => key),
    isRebound,
    needsJob: state === 'creating' || isRebound,
  }
}

async function readDraft(trx: Trx, projectId: string): Promise<Draft> {
  const rows = await trx
    .selectFrom('capabilities')
    .select(['key', 'enabled', 'settings', 'state'])
    .where('project_id', '=', projectId)
    .execute()
  return new Draft(new Map(rows.map(({ key, ...row }) => [key, row])))
}

/** Returns the disabled capabilities that `declared` depends on, directly or transitively. */
function missingDependencies(declared: Capability, settings: Settings, draft: Draft): Capability[] {
  const missing = new Map<string, Capability>()
  const visit = (one: Capability, own: object) => {
    for (const needed of one.dependsOn(own as never).map(capabilityOf)) {
      if (draft.get(needed.key)?.enabled === true || missing.has(needed.key)) continue
      missing.set(needed.key, needed)
      visit(needed, readSettings(needed, draft.get(needed.key)?.settings))
    }
  }
  visit(declared, settings)
  return [...missing.values()]
}

/** Returns the enabled capabilities that depend on `declared`, directly or transitively. */
function findDependents(declared: Capability, draft: Draft): Capability[] {
  const enabled = capabilitiesOf(draft.enabled())
  const lost = new Set([declared.key])
  const needsLost = (one: Capability) =>
    !lost.has(one.key) &&
    one.dependsOn(readSettings(one, draft.get(one.key)?.settings)).some((key) => lost.has(key))
  for (let found = enabled.find(needsLost); found !== undefined; found = enabled.find(needsLost))
    lost.add(found.key)
  return enabled.filter(({ key }) => key !== declared.key && lost.has(key))
}

async function upsertCapabilities(
  trx: Trx,
  project: CapabilityOwner,
  draft: Draft,
  created_at: Date,
): Promise<void> {
  const rows = [...draft.changed].map(([key, { enabled, settings, state }]) => ({
    project_id: project.id,
    key,
    enabled,
    settings,
    state,
    error: null,
    generation: 1,
    created_at,
  }))
  await trx
    .insertInto('capabilities')
    .values(rows)
    .onConflict((row) =>
      row.columns(['project_id', 'key']).doUpdateSet((eb) => ({
        enabled: eb.ref('excluded.enabled'),
        settings: eb.ref('excluded.settings'),
        state: eb.ref('excluded.state'),
        error: null,
        generation: eb('capabilities.generation', '+', 1),
        // Disabling clears the time of deployment. Enabling does not set it, because only the next deployment gives the
        // capability to the app.
        deployed_at: eb
          .case()
          .when('excluded.enabled', '=', true)
          .then(eb.ref('capabilities.deployed_at'))
          .else(null)
          .end(),
      })),
    )
    .execute()
}
