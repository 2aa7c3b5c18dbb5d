import { createHash } from 'node:crypto'
import type { Core, PlatformPorts } from '../../platform.ts'
import type { Capability } from '../../capability-declaration/capability.ts'
import { capabilityOf, isCapabilityKey } from '../../capability-catalog/catalog.ts'
import { placeOfSecret, sealSecret } from '../../capability-state/secrets.ts'
import { readSettings } from '../../capability-state/settings.ts'
import type { ProjectIds } from '../../db/tables/projects.ts'

export interface LiveSecrets {
  values: Record<string, string>
  version: string
}

/**
 * Returns the secrets of a project's enabled capabilities for the live worker, the only worker that receives secrets.
 * Generates the secrets in `generated` that are not stored yet.
 */
export async function readLiveSecrets(
  platform: PlatformPorts<'keyring'>,
  project: ProjectIds,
): Promise<LiveSecrets> {
  const rows = await platform.db
    .selectFrom('capabilities')
    .select(['key', 'settings'])
    .where('project_id', '=', project.id)
    .where('enabled', '=', true)
    .orderBy('key')
    .execute()
  const enabled = rows.flatMap(({ key, settings }) =>
    isCapabilityKey(key) ? [{ declared: capabilityOf(key), settings }] : [],
  )
  const stored = await readOrMakeSecrets(
    platform,
    project,
    enabled.map(({ declared }) => declared),
  )
  const values: Record<string, string> = {}
  const version = createHash('sha256')
  for (const { declared, settings } of enabled) {
    const { key } = declared
    const wanted = { ...declared.secrets(readSettings(declared, settings)), ...declared.generated }
    for (const { name, sealed } of stored.filter((one) => one.key === key)) {
      const binding = wanted[name]?.binding
      if (binding === undefined) continue
      values[binding] = platform.keyring.open(sealed, placeOfSecret(project, key, name))
      // Hashes the ciphertext, because a stored hash of the secret itself would allow guessing the secret.
      version.update(JSON.stringify([binding, sealed]))
    }
  }
  return { values, version: version.digest('hex').slice(0, 16) }
}

/**
 * Generates and stores the generated secrets that are missing, and returns all stored secrets of the project. When two
 * processes generate the same secret, the first stored value is kept, because data may already depend on it.
 */
async function readOrMakeSecrets(
  platform: PlatformPorts<'keyring'>,
  project: ProjectIds,
  enabled: readonly Capability[],
) {
  const { db, clock } = platform
  const { id: project_id, org_id } = project
  const stored = await listStoredSecrets(platform, project)
  const isStored = new Set(stored.map(({ key, name }) => `${key} ${name}`))
  const missing = enabled.flatMap(({ key, generated }) =>
    Object.entries(generated).flatMap(([name, { make }]) => {
      if (make === null || isStored.has(`${key} ${name}`)) return []
      const sealed = sealSecret(platform, project, key, { name, value: make() })
      return [{ org_id, project_id, key, name, sealed, created_at: clock.now() }]
    }),
  )
  if (missing.length === 0) return stored
  await db
    .insertInto('capability_secrets')
    .values(missing)
    .onConflict((row) => row.columns(['project_id', 'key', 'name']).doNothing())
    .execute()
  return await listStoredSecrets(platform, project)
}

const listStoredSecrets = ({ db }: Core, project: ProjectIds) =>
  db
    .selectFrom('capability_secrets')
    .select(['key', 'name', 'sealed'])
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .orderBy('name')
    .execute()
