import { createHash } from 'node:crypto'
import type { Core, Needs } from '../../platform.ts'
import type { LiveSecrets } from '../../resources/parts.ts'
import type { Capability } from '../capability.ts'
import { capabilityOf, isCapabilityKey } from '../catalog.ts'
import { placeOfSecret, sealSecret } from './secrets.ts'
import { readSettings } from './settings.ts'

type Owner = { id: string; org_id: string }

/**
 * Returns the secrets of a project's enabled capabilities for the live worker, the only one that is given any. Makes the
 * generated ones that are missing.
 */
export async function readLiveSecrets(platform: Needs<'keyring'>, project: Owner): Promise<LiveSecrets> {
  const rows = await platform.db
    .selectFrom('capabilities')
    .select(['key', 'settings'])
    .where('project_id', '=', project.id)
    .where('enabled', '=', true)
    .orderBy('key')
    .execute()
  const values: Record<string, string> = {}
  const version = createHash('sha256')
  for (const { key, settings } of rows) {
    if (!isCapabilityKey(key)) continue
    const declared = capabilityOf(key)
    await makeMissing(platform, project, declared)
    const wanted = { ...declared.secrets(readSettings(declared, settings)), ...declared.generated }
    for (const { name, sealed } of await readStored(platform, project, key)) {
      const binding = wanted[name]?.binding
      if (binding === undefined) continue
      values[binding] = platform.keyring.open(sealed, placeOfSecret(project, key, name))
      // The sealed text, so that a value cannot be guessed from the stored version.
      version.update(JSON.stringify([binding, sealed]))
    }
  }
  return { values, version: version.digest('hex').slice(0, 16) }
}

const readStored = ({ db }: Core, project: Owner, key: string) =>
  db
    .selectFrom('capability_secrets')
    .select(['name', 'sealed'])
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('key', '=', key)
    .orderBy('name')
    .execute()

/** Of two attempts at once the first one's value stays: what was made with it must stay readable. */
async function makeMissing(
  platform: Needs<'keyring'>,
  project: Owner,
  { key, generated }: Capability,
): Promise<void> {
  const { db, clock } = platform
  const { id: project_id, org_id } = project
  const stored = new Set((await readStored(platform, project, key)).map(({ name }) => name))
  for (const [name, { make }] of Object.entries(generated)) {
    if (make === null || stored.has(name)) continue
    const sealed = sealSecret(platform, project, key, { name, value: make() })
    await db
      .insertInto('capability_secrets')
      .values({ org_id, project_id, key, name, sealed, created_at: clock.now() })
      .onConflict((row) => row.columns(['project_id', 'key', 'name']).doNothing())
      .execute()
  }
}
