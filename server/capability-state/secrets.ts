import * as z from 'zod'
import type { Db, Trx } from '../db/database.ts'
import type { ProjectIds } from '../db/tables/projects.ts'
import { validate } from '../http/validate.ts'
import type { PlatformPorts, Ports } from '../platform.ts'
import type { Capability } from '../capability-declaration/capability.ts'
import type { Settings } from './settings.ts'

/** The name of the flag that is returned instead of a secret: `hasStripeKey` for `stripeKey`. */
const secretFlagName = (name: string): string => `has${name.charAt(0).toUpperCase()}${name.slice(1)}`

export async function readSecretFlags(
  db: Db | Trx,
  project: ProjectIds,
  declared: Capability,
  settings: Settings,
): Promise<Record<`has${string}`, boolean>> {
  const names = Object.keys(declared.secrets(settings))
  if (names.length === 0) return {}
  const rows = await db
    .selectFrom('capability_secrets')
    .select('name')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('key', '=', declared.key)
    .execute()
  const stored = new Set(rows.map((row) => row.name))
  return Object.fromEntries(names.map((name) => [secretFlagName(name), stored.has(name)]))
}

/**
 * Encrypts and stores secrets. Removes secrets given as null and secrets that the settings no longer use. Throws
 * `invalid_request` with a message that names `secrets.<field>`.
 */
export async function saveSecrets(
  platform: PlatformPorts<'keyring'>,
  trx: Trx,
  project: ProjectIds,
  declared: Capability,
  { settings, given }: { settings: Settings; given: Record<string, string | null> | undefined },
): Promise<void> {
  const names = [...Object.keys(declared.secrets(settings)), ...Object.keys(declared.generated)]
  await trx
    .deleteFrom('capability_secrets')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('key', '=', declared.key)
    .$if(names.length > 0, (query) => query.where('name', 'not in', names))
    .execute()
  if (given === undefined) return
  const shape = Object.entries(declared.secrets(settings)).map(
    ([name, { schema }]) => [name, schema.nullable().optional()] as const,
  )
  const whole = z.object({ secrets: z.object(Object.fromEntries(shape)) })
  const { secrets } = validate(whole, { secrets: given }, 'secrets')
  for (const [name, value] of Object.entries(secrets)) {
    if (value === null) await removeSecret(trx, project, declared, name)
    if (typeof value === 'string') await storeSecret(platform, trx, project, declared, { name, value })
  }
}

async function removeSecret(
  trx: Trx,
  project: ProjectIds,
  declared: Capability,
  name: string,
): Promise<void> {
  await trx
    .deleteFrom('capability_secrets')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('key', '=', declared.key)
    .where('name', '=', name)
    .execute()
}

/** Returns a stored secret in clear text, or null. */
export async function readSecret(
  { db, keyring }: PlatformPorts<'keyring'>,
  project: ProjectIds,
  key: string,
  name: string,
): Promise<string | null> {
  const row = await findSecret(db, project, key, name)
  return row === undefined ? null : keyring.open(row.sealed, placeOfSecret(project, key, name))
}

export const hasSecret = async (
  db: Db | Trx,
  project: ProjectIds,
  key: string,
  name: string,
): Promise<boolean> => (await findSecret(db, project, key, name)) !== undefined

const findSecret = (db: Db | Trx, project: ProjectIds, key: string, name: string) =>
  db
    .selectFrom('capability_secrets')
    .select('sealed')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('key', '=', key)
    .where('name', '=', name)
    .executeTakeFirst()

/** Stores a secret, replacing an earlier value. */
export async function storeSecret(
  platform: PlatformPorts<'keyring'>,
  trx: Db | Trx,
  project: ProjectIds,
  { key }: Capability,
  { name, value }: { name: string; value: string },
): Promise<void> {
  const sealed = sealSecret(platform, project, key, { name, value })
  const created_at = platform.clock.now()
  await trx
    .insertInto('capability_secrets')
    .values({ org_id: project.org_id, project_id: project.id, key, name, sealed, created_at })
    .onConflict((row) => row.columns(['project_id', 'key', 'name']).doUpdateSet({ sealed, created_at }))
    .execute()
}

/** Returns the row for which a secret is encrypted. A secret that is copied to another row cannot be decrypted. */
export const placeOfSecret = (project: ProjectIds, key: string, name: string) =>
  ({
    table: 'capability_secrets',
    id: `${project.id}/${key}/${name}`,
    column: 'sealed',
    organizationId: project.org_id,
  }) as const

/** Encrypts a secret for its row (`placeOfSecret`). */
export const sealSecret = (
  { keyring }: Pick<Ports, 'keyring'>,
  project: ProjectIds,
  key: string,
  { name, value }: { name: string; value: string },
): string => keyring.seal(value, placeOfSecret(project, key, name))
