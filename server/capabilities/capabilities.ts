import { lastUploadsName } from '../attachments/upload-place.ts'
import { requireCloud } from '../connections/cloud.ts'
import { type Db, transact, type Trx } from '../db/database.ts'
import { conflict, notFound } from '../http/errors.ts'
import type { Platform } from '../platform.ts'
import { type Capability, CAPABILITY_KEYS, type CapabilityKey, splitReason } from './capability.ts'
import { capabilityOf, isCapabilityKey } from './catalog.ts'
import { saveCapability } from './switch/save.ts'
import { readSecretFlags } from './switch/secrets.ts'
import { readSettings } from './switch/settings.ts'

/** What a capability's owner is, wherever the change comes from: a request or the build agent. */
export interface CapabilityProject {
  id: string
  org_id: string
  slug: string
}

export interface CapabilityChange {
  enabled: boolean
  /** Put over the stored ones, field by field. */
  settings?: Record<string, unknown> | undefined
  /** Null removes one. */
  secrets?: Record<string, string | null> | undefined
}

/** All twenty-one, on or off. */
export async function listCapabilities(db: Db, projectId: string) {
  const rows = await db.selectFrom('capabilities').selectAll().where('project_id', '=', projectId).execute()
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return CAPABILITY_KEYS.map((key) => ({
    key,
    title: capabilityOf(key).title,
    enabled: byKey.get(key)?.enabled ?? false,
    provision: provisionOf(byKey.get(key)),
  }))
}

/** One capability: whether it is on, how its resource stands, its settings, and which secrets it has. */
export async function readCapability(db: Db | Trx, project: CapabilityProject, key: string) {
  const declared = capabilityOf(requireKey(key))
  const row = await db
    .selectFrom('capabilities')
    .selectAll()
    .where('project_id', '=', project.id)
    .where('key', '=', declared.key)
    .executeTakeFirst()
  const settings = readSettings(declared, row?.settings)
  return {
    key: declared.key,
    title: declared.title,
    enabled: row?.enabled ?? false,
    provision: provisionOf(row),
    resource: await readResource(db, project, declared),
    settings,
    alsoOff: [] as CapabilityKey[],
    ...(await readSecretFlags(db, project, declared, settings)),
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
  const declared = capabilityOf(requireKey(key))
  if (declared.isBuilt) {
    if (change.enabled) await requireCloud(platform, project.org_id, { project })
    const alsoOff = await transact(platform.db, (trx) =>
      saveCapability(platform, trx, project, declared, change),
    )
    return { ...(await readCapability(platform.db, project, key)), alsoOff }
  } else if (change.enabled || change.settings !== undefined || change.secrets !== undefined) {
    throw conflict(`${declared.title} is not available in this version yet. Nothing was saved.`)
  }
  return await readCapability(platform.db, project, key)
}

function requireKey(key: string): CapabilityKey {
  if (!isCapabilityKey(key)) throw notFound('capability')
  return key
}

function provisionOf(row: { state: 'creating' | 'idle' | 'error'; error: string | null } | undefined) {
  if (row === undefined) return { state: 'idle' as const, error: null }
  return { state: row.state, error: row.error === null ? null : splitReason(row.error) }
}

async function readResource(db: Db | Trx, project: CapabilityProject, declared: Capability) {
  const uploads = (await lastUploadsName(db, project)) ?? undefined
  const [spec] = declared.resources({ ...project, uploads })
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
