import type { Selectable } from 'kysely'
import type { Trx } from '../../db/database.ts'
import { lockProject } from '../../db/locks.ts'
import type { CapabilitiesTable } from '../../db/tables/projects.ts'
import type { Needs } from '../../platform.ts'
import type { ProjectRef } from '../../resources/work.ts'
import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
import type { Capability } from '../capability.ts'
import { capabilitiesOf, capabilityOf } from '../catalog.ts'
import { provisionJob } from './provision.ts'
import { markRebindDue } from './rebind-due.ts'
import { saveSecrets } from './secrets.ts'
import { mergeSettings, readSettings } from './settings.ts'

/** The project of a capability, whether a request or the build agent changes it. */
export type CapabilityOwner = Omit<ProjectRef, 'name'>

/** A change of one capability. */
export interface CapabilityChange {
  enabled: boolean
  /** Merged over the stored ones, field by field. */
  settings?: Record<string, unknown> | undefined
  /** Null removes one. */
  secrets?: Record<string, string | null> | undefined
}

type Stored = ReadonlyMap<string, Selectable<CapabilitiesTable>>

/**
 * Saves a change with its secrets, the capabilities it depends on and the job that makes or unbinds their resources.
 * Returns the keys that were disabled because they need this one.
 */
export async function saveCapability(
  platform: Needs<'keyring' | 'jobs'>,
  trx: Trx,
  project: CapabilityOwner,
  declared: Capability,
  change: CapabilityChange & { actor: string },
): Promise<CapabilityKey[]> {
  await lockProject(trx, project.id)
  const stored = await readStored(trx, project.id)
  const before = stored.get(declared.key)
  const settings = mergeSettings(declared, before?.settings, change.settings)
  const isUnbound = !change.enabled && before?.enabled === true
  const dependents = isUnbound ? findDependents(declared, stored) : []
  const added = change.enabled ? missingDependencies(declared, settings, stored) : []
  const at = platform.clock.now()
  for (const one of added) {
    const own = readSettings(one, stored.get(one.key)?.settings)
    await upsert(trx, project, one, { enabled: true, settings: own, state: 'creating', at })
  }
  for (const one of dependents) {
    const row = stored.get(one.key)
    const state = row?.state === 'creating' ? 'creating' : 'idle'
    await upsert(trx, project, one, { enabled: false, settings: readSettings(one, row?.settings), state, at })
  }
  // A creation that is under way finishes its resource.
  const state = change.enabled || before?.state === 'creating' ? 'creating' : 'idle'
  await upsert(trx, project, declared, { enabled: change.enabled, settings, state, at })
  // The settings say which secrets there are.
  if (change.settings !== undefined || change.secrets !== undefined)
    await saveSecrets(platform, trx, project, declared, { settings, given: change.secrets })
  const alsoOff = dependents.map(({ key }) => key)
  const isSecretChanged = change.secrets !== undefined && !change.enabled
  if (state === 'idle' && !isUnbound && !isSecretChanged) return alsoOff
  const { org_id: orgId, id: projectId } = project
  if (isUnbound || isSecretChanged) await markRebindDue(trx, project)
  await platform.jobs.send(trx, provisionJob, { orgId, projectId, actor: change.actor })
  return alsoOff
}

async function readStored(trx: Trx, projectId: string): Promise<Stored> {
  const rows = await trx.selectFrom('capabilities').selectAll().where('project_id', '=', projectId).execute()
  return new Map(rows.map((row) => [row.key, row]))
}

/** Returns what must be enabled too, with its own dependencies. */
function missingDependencies(declared: Capability, settings: object, stored: Stored): Capability[] {
  const missing = new Map<string, Capability>()
  const visit = (one: Capability, own: object) => {
    for (const needed of one.dependsOn(own as never).map(capabilityOf)) {
      if (stored.get(needed.key)?.enabled === true || missing.has(needed.key)) continue
      missing.set(needed.key, needed)
      visit(needed, readSettings(needed, stored.get(needed.key)?.settings))
    }
  }
  visit(declared, settings)
  return [...missing.values()]
}

/** Returns the enabled capabilities that need this one, directly or through another. */
function findDependents(declared: Capability, stored: Stored): Capability[] {
  const enabled = capabilitiesOf(
    new Set([...stored.values()].filter((row) => row.enabled).map((row) => row.key)),
  )
  const lost = new Set([declared.key])
  const needsLost = (one: Capability) =>
    !lost.has(one.key) &&
    one.dependsOn(readSettings(one, stored.get(one.key)?.settings)).some((key) => lost.has(key))
  for (let found = enabled.find(needsLost); found !== undefined; found = enabled.find(needsLost))
    lost.add(found.key)
  return enabled.filter(({ key }) => key !== declared.key && lost.has(key))
}

async function upsert(
  trx: Trx,
  project: CapabilityOwner,
  { key }: Capability,
  change: { enabled: boolean; settings: object; state: 'creating' | 'idle'; at: Date },
): Promise<void> {
  const { enabled, state } = change
  // A disabled one does not serve any more; an enabled one serves from the next ship.
  const served = enabled ? {} : { deployed_at: null }
  const saved = { enabled, settings: JSON.stringify(change.settings), state, error: null, ...served }
  await trx
    .insertInto('capabilities')
    .values({ project_id: project.id, key, ...saved, generation: 1, created_at: change.at })
    .onConflict((row) =>
      row
        .columns(['project_id', 'key'])
        .doUpdateSet((eb) => ({ ...saved, generation: eb('capabilities.generation', '+', 1) })),
    )
    .execute()
}
