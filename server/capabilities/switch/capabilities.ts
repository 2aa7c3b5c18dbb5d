import type { Db, Trx } from '../../db/database.ts'
import { notFound } from '../../http/errors.ts'
import type { PlatformPorts } from '../../platform.ts'
import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
import type { Capability } from '../../capability-declaration/capability.ts'
import { capabilityOf, isCapabilityKey } from '../../capability-catalog/catalog.ts'
import { findNamed } from '../../resources/list.ts'
import { uploadsName } from '../../resource-names.ts'
import { lastUploadsName } from '../../resources/uploads-name.ts'
import type { CapabilityChange, CapabilityOwner } from '../save.ts'
import { saveTogether } from './save-together.ts'
import { ACTIONS } from '../actions.ts'
import { checkSecrets, type UncheckedSecret } from './check-secrets.ts'
import { readSecretFlags } from '../../capability-state/secrets.ts'
import { mergeSettings, readRejected, readSettings } from '../../capability-state/settings.ts'
import { provisionOf } from '../../capability-state/states.ts'
import { readStoredSettings } from '../../capability-state/variables.ts'

/** Returns a capability with its settings. For each secret, returns only whether the secret is set. */
export async function readCapability(db: Db | Trx, project: CapabilityOwner, key: string) {
  const declared = capabilityOf(requireKey(key))
  const row = await db
    .selectFrom('capabilities')
    .selectAll()
    .where('project_id', '=', project.id)
    .where('key', '=', declared.key)
    .executeTakeFirst()
  const settings = readSettings(declared, row?.settings)
  const rejected = readRejected(declared, row?.settings).map(({ field, value }) => [field, value])
  return {
    key: declared.key,
    title: declared.title,
    enabled: row?.enabled ?? false,
    provision: provisionOf(row),
    resource: await readResource(db, project, declared),
    // A value that this version no longer accepts is shown as it is stored, because the next change of the settings must replace it.
    settings: { ...settings, ...Object.fromEntries(rejected) },
    alsoOff: [] as CapabilityKey[],
    unchecked: [] as UncheckedSecret[],
    keyCheck: (await ACTIONS[declared.key]?.keyCheck?.read(db, project)) ?? null,
    ...(await readSecretFlags(db, project, declared, settings)),
  }
}

/**
 * Enables or disables a capability and changes its settings. Saves the change at once, and a job creates the resources, so the returned
 * state is usually `creating`. Throws `conflict` without a connected account.
 */
export async function setCapability(
  platform: PlatformPorts<'accounts' | 'config' | 'keyring' | 'jobs'>,
  project: CapabilityOwner,
  key: string,
  change: CapabilityChange & { actor: string },
) {
  const declared = capabilityOf(requireKey(key))
  if (change.enabled) await platform.accounts.requireCloud(project.org_id, { project })
  const keys = await ACTIONS[declared.key]?.keyCheck?.check(platform, project, change)
  const unchecked = change.secrets === undefined ? [] : await checkGiven(platform, project, declared, change)
  const alsoOff = await saveTogether(platform, project, { declared, change })
  await keys?.settle()
  return { ...(await readCapability(platform.db, project, key)), alsoOff, unchecked }
}

/** Lets the providers check the secrets in a change, using the settings that result from the change. */
async function checkGiven(
  platform: PlatformPorts<'config'>,
  project: CapabilityOwner,
  declared: Capability,
  { settings: changed, secrets: given }: CapabilityChange,
): Promise<UncheckedSecret[]> {
  const stored = await readStoredSettings(platform.db, project.id, declared.key)
  return await checkSecrets(platform, declared, { settings: mergeSettings(declared, stored, changed), given })
}

function requireKey(key: string): CapabilityKey {
  if (!isCapabilityKey(key)) throw notFound('capability')
  return key
}

async function readResource(db: Db | Trx, project: CapabilityOwner, declared: Capability) {
  const [spec] = declared.resources(project)
  if (spec === undefined) return null
  // The upload worker keeps its original name when the project is renamed, so look for the original name.
  const uploads = spec.name === uploadsName(project) ? await lastUploadsName(db, project) : null
  return await findNamed(db, project, uploads === null ? spec : { ...spec, name: uploads })
}
