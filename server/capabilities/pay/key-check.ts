import type { StripeUse } from '../../account-port.ts'
import { parseJson } from '../../lib/json.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { ProjectIds } from '../../db/tables/projects.ts'
import type { Context } from '../../endpoint.ts'
import { invalid } from '../../http/errors.ts'
import type { Core, PlatformPorts, Ports } from '../../platform.ts'
import { findProject } from '../../projects/store.ts'
import { checkKey, type MissingPermission } from '../../stripe/check-key.ts'
import type { StripeAccess } from '../../stripe/client.ts'
import { StripeError } from '../../stripe/errors.ts'
import { listEndpoints, removeEndpoint } from '../../stripe/endpoints.ts'
import { readSecret } from '../../capability-state/secrets.ts'
import { capabilityOf } from '../../capability-catalog/catalog.ts'
import { KEY_NAMES } from '../../capability-state/pay-access.ts'
import { type CheckedKeys, KeyCheck } from '../capability-actions.ts'
import { requireSelling } from './require-selling.ts'

/** Checks the stored keys again, stores the result and returns it. */
export async function recheckKey(ctx: Context<'accounts'>, projectId: string): Promise<KeyCheck> {
  const { project, modes } = await requireSelling(ctx, projectId)
  const missing = await missingPermissions(modes)
  const { modes: stored } = await requireSelling(ctx, projectId)
  // Other keys were saved meanwhile. The result of the former keys must not replace theirs.
  if (keysIn(stored) !== keysIn(modes)) return await recheckKey(ctx, projectId)
  return await storeCheck(ctx, project, modes, missing)
}

const keysIn = (modes: StripeAccess[]): string => modes.map(({ key }) => key).join(' ')

/** Returns the result of the last check of the keys; null before the first check, and when no key is stored. */
export async function readKeyCheck(db: Db | Trx, project: ProjectIds): Promise<KeyCheck | null> {
  const row = await db
    .selectFrom('pay_key_checks')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .executeTakeFirst()
  if (row === undefined) return null
  const missing = KeyCheck.shape.missing.parse(parseJson(row.missing))
  return { ok: missing.length === 0, mode: row.mode, checkedAt: row.checked_at.toISOString(), missing }
}

/**
 * Lets Stripe check the new keys of a settings change before they are saved. Throws `invalid_request` that names `secrets.<name>` for a
 * key that Stripe refuses. `settle` also deletes the webhook endpoints of a former key, which nothing else could delete: it is no longer
 * stored. Deleted before the change is saved, they would be missing when the change is refused.
 */
export async function checkNewKeys(
  platform: PlatformPorts<'accounts' | 'keyring'>,
  owner: ProjectIds,
  change: { secrets?: Record<string, string | null> | undefined; actor: string },
): Promise<CheckedKeys | null> {
  const names = Object.values(KEY_NAMES).filter((name) => change.secrets?.[name] !== undefined)
  if (names.length === 0) return null
  const project = await findProject(platform.db, { orgId: owner.org_id, projectId: owner.id })
  if (project === null) return null
  const use: StripeUse = { project, actor: change.actor }
  const known = new Map<string, MissingPermission[]>()
  for (const name of names) {
    const value = change.secrets?.[name]
    if (typeof value !== 'string') continue
    // A malformed key is refused when it is saved, with the same message as any other malformed secret.
    if (!isWellFormed(name, value)) return null
    known.set(value, await requireAccepted(platform, use, { name, value }))
  }
  const former = await Promise.all(
    names.map(async (name) => ({
      before: await readSecret(platform, project, 'pay', name),
      next: change.secrets?.[name] ?? null,
    })),
  )
  return {
    settle: async () => {
      for (const keys of former) await deleteFormerEndpoints(platform, use, keys)
      const modes = await platform.accounts.openStripeModes(use)
      if (modes.length > 0) await storeCheck(platform, project, modes, await missingPermissions(modes, known))
      else
        await platform.db
          .deleteFrom('pay_key_checks')
          .where('org_id', '=', project.org_id)
          .where('project_id', '=', project.id)
          .execute()
    },
  }
}

const isWellFormed = (name: string, value: string): boolean =>
  capabilityOf('pay').secrets({})[name]?.schema.safeParse(value).success === true

async function requireAccepted(
  { accounts }: Pick<Ports, 'accounts'>,
  use: StripeUse,
  { name, value }: { name: string; value: string },
): Promise<MissingPermission[]> {
  try {
    return await checkKey(accounts.openStripe(use, value))
  } catch (error) {
    if (!(error instanceof StripeError) || error.fault !== 'bad_secret') throw error
    throw invalid(`secrets.${name}`, 'is refused by Stripe, so nothing was saved')
  }
}

/** Deletes the endpoints of a key that was removed or replaced with a key of another Stripe account. */
async function deleteFormerEndpoints(
  platform: PlatformPorts<'accounts'>,
  use: StripeUse,
  { before, next }: { before: string | null; next: string | null },
): Promise<void> {
  const { project } = use
  const open = (key: string) => platform.accounts.openStripe(use, key)
  if (before === null || before === next) return
  try {
    const known = await listEndpoints(open(before), project.id)
    const kept = next === null ? [] : (await listEndpoints(open(next), project.id)).map(({ id }) => id)
    for (const endpoint of known)
      if (!kept.includes(endpoint.id)) await removeEndpoint(open(before), endpoint)
  } catch (error) {
    // A failure is only logged. Otherwise a key that was revoked at Stripe could not be replaced.
    if (!(error instanceof StripeError)) throw error
    platform.log.warn({ err: error, projectId: project.id }, 'the endpoints of a former key were not removed')
  }
}

/** Returns the permissions that the keys lack. Calls Stripe only for keys that are not in `known`. */
async function missingPermissions(
  modes: StripeAccess[],
  known: ReadonlyMap<string, MissingPermission[]> = new Map(),
): Promise<MissingPermission[]> {
  return (await Promise.all(modes.map(async (access) => known.get(access.key) ?? checkKey(access)))).flat()
}

async function storeCheck(
  { db, clock }: Pick<Core, 'db' | 'clock'>,
  project: ProjectIds,
  [selling]: StripeAccess[],
  missing: MissingPermission[],
): Promise<KeyCheck> {
  const mode = selling?.mode ?? 'test'
  const at = clock.now()
  const checked = { mode, missing: JSON.stringify(missing), checked_at: at }
  await db
    .insertInto('pay_key_checks')
    .values({ project_id: project.id, org_id: project.org_id, ...checked })
    .onConflict((row) => row.column('project_id').doUpdateSet(checked))
    .execute()
  return { ok: missing.length === 0, mode, checkedAt: at.toISOString(), missing }
}
