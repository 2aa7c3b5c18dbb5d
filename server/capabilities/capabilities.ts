import * as z from 'zod'
import { requireCloud } from '../connections/cloud.ts'
import { type Db, transact, type Trx } from '../db/database.ts'
import { lockProject } from '../db/locks.ts'
import { invalid, notFound } from '../http/errors.ts'
import { validate } from '../http/validate.ts'
import type { Platform } from '../platform.ts'
import {
  type Capability,
  CAPABILITY_KEYS,
  CAPABILITY_TITLES,
  type CapabilityKey,
  splitReason,
} from './capability.ts'
import { capabilityOf, isCapabilityKey } from './catalog.ts'
import { provisionJob } from './provision.ts'

/** What a capability's owner is, wherever the change comes from: a request or the build agent. */
export interface CapabilityProject {
  id: string
  org_id: string
  slug: string
}

export interface CapabilityChange {
  enabled: boolean
  settings?: Record<string, unknown> | undefined
}

/** The keys that are switched on for a project. */
export async function enabledCapabilities(db: Db | Trx, projectId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('capabilities')
    .select('key')
    .where('project_id', '=', projectId)
    .where('enabled', '=', true)
    .execute()
  return new Set(rows.map((row) => row.key))
}

/** All twenty-one, on or off. */
export async function listCapabilities(db: Db, projectId: string) {
  const rows = await db.selectFrom('capabilities').selectAll().where('project_id', '=', projectId).execute()
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return CAPABILITY_KEYS.map((key) => ({
    key,
    title: CAPABILITY_TITLES[key],
    enabled: byKey.get(key)?.enabled ?? false,
    provision: provisionOf(byKey.get(key)),
  }))
}

/** One capability: whether it is on, how its resource stands, and its settings. */
export async function readCapability(db: Db | Trx, project: CapabilityProject, key: string) {
  const known = requireKey(key)
  const row = await db
    .selectFrom('capabilities')
    .selectAll()
    .where('project_id', '=', project.id)
    .where('key', '=', known)
    .executeTakeFirst()
  const declared = capabilityOf(known)
  return {
    key: known,
    title: CAPABILITY_TITLES[known],
    enabled: row?.enabled ?? false,
    provision: provisionOf(row),
    resource: declared === null ? null : await readResource(db, project, declared),
    settings:
      declared === null ? {} : declared.settings.parse(row === undefined ? {} : JSON.parse(row.settings)),
  }
}

/**
 * Switches a capability on or off and changes its settings. Saved at once; the resource is made by a job, so the
 * answer says `creating`.
 */
export async function setCapability(
  platform: Platform,
  project: CapabilityProject,
  key: string,
  change: CapabilityChange & { actor: string },
) {
  const declared = requireBuilt(requireKey(key), change)
  if (declared !== null) {
    if (change.enabled) await requireCloud(platform, project.org_id)
    await transact(platform.db, (trx) => saveCapability(platform, trx, project, declared, change))
  }
  return await readCapability(platform.db, project, key)
}

async function saveCapability(
  platform: Platform,
  trx: Trx,
  project: CapabilityProject,
  declared: Capability,
  change: CapabilityChange & { actor: string },
): Promise<void> {
  await lockProject(trx, project.id)
  const stored = await trx
    .selectFrom('capabilities')
    .selectAll()
    .where('project_id', '=', project.id)
    .where('key', '=', declared.key)
    .executeTakeFirst()
  const settings = mergeSettings(declared, stored?.settings, change.settings)
  // Switching off wires nothing new, but a creation under way is left to finish its resource.
  const state = change.enabled || stored?.state === 'creating' ? ('creating' as const) : ('idle' as const)
  const saved = { enabled: change.enabled, settings: JSON.stringify(settings), state, error: null }
  await trx
    .insertInto('capabilities')
    .values({
      project_id: project.id,
      key: declared.key,
      ...saved,
      generation: 1,
      created_at: platform.clock.now(),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'key'])
        .doUpdateSet((eb) => ({ ...saved, generation: eb('capabilities.generation', '+', 1) })),
    )
    .execute()
  const rewire = !change.enabled && stored?.enabled === true
  if (state === 'idle' && !rewire) return
  await platform.jobs.send(trx, provisionJob, {
    orgId: project.org_id,
    projectId: project.id,
    actor: change.actor,
    rewire,
  })
}

function mergeSettings(
  declared: Capability,
  stored: string | undefined,
  given: Record<string, unknown> | undefined,
) {
  const before = stored === undefined ? {} : (JSON.parse(stored) as Record<string, unknown>)
  const settings = { ...before, ...given }
  return validate(z.object({ settings: declared.settings }), { settings }, 'settings').settings
}

function requireKey(key: string): CapabilityKey {
  if (!isCapabilityKey(key)) throw notFound('capability')
  return key
}

function requireBuilt(key: CapabilityKey, change: CapabilityChange): Capability | null {
  const declared = capabilityOf(key)
  if (declared === null && change.enabled)
    throw invalid('enabled', `${CAPABILITY_TITLES[key]} is not available in this version yet`)
  return declared
}

function provisionOf(row: { state: 'creating' | 'idle' | 'error'; error: string | null } | undefined) {
  if (row === undefined) return { state: 'idle' as const, error: null }
  return { state: row.state, error: row.error === null ? null : splitReason(row.error) }
}

async function readResource(db: Db | Trx, project: CapabilityProject, declared: Capability) {
  const [spec] = declared.resources(project)
  if (spec === undefined) return null
  const row = await db
    .selectFrom('resources')
    .select(['id', 'kind', 'name'])
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('kind', '=', spec.kind)
    .where('name', '=', spec.name)
    .executeTakeFirst()
  return row ?? null
}
