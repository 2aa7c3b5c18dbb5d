import { createHmac, randomBytes } from 'node:crypto'
import type { Db, Trx } from '../../db/database.ts'
import type { ProjectIds } from '../../db/tables/projects.ts'
import type { Platform, Ports } from '../../platform.ts'

/** The access code is stored beside the secrets of capabilities, under a key that is not the key of a capability. */
const CAPABILITY_KEY = 'access'
const SECRET_NAME = 'code'

const secretPlace = (project: ProjectIds) =>
  ({
    table: 'capability_secrets',
    id: `${project.id}/${CAPABILITY_KEY}/${SECRET_NAME}`,
    column: 'sealed',
    organizationId: project.org_id,
  }) as const

/**
 * Returns the value that the app's worker receives instead of the code: an id, a key made for this code alone, and the code's HMAC under
 * that key. The key also signs the cookies of visitors who entered the code.
 */
function keyedHashOfCode(code: string): string {
  const key = randomBytes(32)
  const hash = createHmac('sha256', key).update(`code\n${code}`).digest('base64url')
  return `${randomBytes(8).toString('hex')}.${key.toString('base64')}.${hash}`
}

/** Returns when the project's access code was stored; null without a code. */
export async function readAccessCodeTime(db: Db | Trx, project: ProjectIds): Promise<Date | null> {
  return (await readRow(db, project))?.created_at ?? null
}

/** Returns the access code as a worker receives it (`keyedHashOfCode`), with the code's id; null without a code. */
export async function readAccessCode(
  { keyring }: Pick<Ports, 'keyring'>,
  db: Db | Trx,
  project: ProjectIds,
): Promise<{ id: string; text: string } | null> {
  const row = await readRow(db, project)
  if (row === null) return null
  const text = keyring.open(row.sealed, secretPlace(project))
  return { id: text.split('.')[0] ?? '', text }
}

/** Replaces the code. Trims and NFC-normalizes it, because the app's worker does the same with an entered code before the comparison. */
export async function storeCode(
  { keyring, clock }: Pick<Platform, 'keyring' | 'clock'>,
  trx: Trx,
  project: ProjectIds,
  code: string,
): Promise<void> {
  const sealed = keyring.seal(keyedHashOfCode(code), secretPlace(project))
  const created_at = clock.now()
  await trx
    .insertInto('capability_secrets')
    .values({
      org_id: project.org_id,
      project_id: project.id,
      key: CAPABILITY_KEY,
      name: SECRET_NAME,
      sealed,
      created_at,
    })
    .onConflict((row) => row.columns(['project_id', 'key', 'name']).doUpdateSet({ sealed, created_at }))
    .execute()
}

/** Removes the code. Returns false when no code was stored. */
export async function removeCode(trx: Trx, project: ProjectIds): Promise<boolean> {
  const removed = await trx
    .deleteFrom('capability_secrets')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('key', '=', CAPABILITY_KEY)
    .where('name', '=', SECRET_NAME)
    .executeTakeFirst()
  return removed.numDeletedRows > 0n
}

async function readRow(db: Db | Trx, project: ProjectIds) {
  const row = await db
    .selectFrom('capability_secrets')
    .select(['sealed', 'created_at'])
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('key', '=', CAPABILITY_KEY)
    .where('name', '=', SECRET_NAME)
    .executeTakeFirst()
  return row ?? null
}
