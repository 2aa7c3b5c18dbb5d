import type { ExportedTable } from '../lib/exported.ts'
import { isoTime } from '../lib/sql-json.ts'
import { batchedLookup } from '../db/batched-lookup.ts'
import { transact, type Trx } from '../db/database.ts'
import { lockOrganization } from '../db/locks.ts'
import type { IngestSourcesTable } from '../db/tables/ingest.ts'
import type { SealedPlace } from '../crypto/keyring.ts'
import { newSigningSecret } from '../crypto/signature.ts'
import type { CallerContext, Context } from '../endpoint.ts'
import { recordCallerChange } from '../activity/log.ts'
import { conflict, notFound } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { lockCallerMembership } from '../membership/lock-caller-membership.ts'
import type { Ports } from '../platform.ts'
import { PROJECTS_AS_P } from '../sql/projects.ts'
import { findProjectForShare } from '../projects/store.ts'

/** The number of sources per organization is limited, because each is an address that strangers can post to. */
export const SOURCES_MAX = 100

/** Returns the organization's sources, the newest first, without their secrets. */
export async function listSources(ctx: Context<'config'>) {
  const rows = await ctx.db
    .selectFrom('ingest_sources')
    .select(['id', 'project_id', 'created_at'])
    .where('org_id', '=', ctx.caller.organizationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    projectId: row.project_id,
    webhookUrl: webhookUrl(ctx, row.id),
    createdAt: row.created_at.toISOString(),
  }))
}

/** Creates a source. Only this response contains the secret of the source, which is stored encrypted. */
export function createSource(ctx: Context<'config' | 'keyring'>, projectId: string) {
  const orgId = ctx.caller.organizationId
  const id = newId('ing')
  const secret = newSigningSecret()
  return transact(ctx.db, async (trx) => {
    await lockOrganization(trx, orgId)
    await lockCallerMembership(ctx, trx)
    const project = await findProjectForShare(trx, { orgId, projectId })
    if (project === null) throw notFound('project')
    if ((await countSources(trx, orgId)) >= SOURCES_MAX)
      throw conflict(`An organization holds at most ${SOURCES_MAX} ingest sources: remove one first.`)
    await trx
      .insertInto('ingest_sources')
      .values({
        id,
        org_id: orgId,
        project_id: projectId,
        secret: ctx.keyring.seal(secret, secretPlace(id, orgId)),
        created_at: ctx.clock.now(),
        created_by: ctx.caller.userId,
      })
      .execute()
    await recordSourceChange(ctx, trx, { action: 'ingest_source.created', id, projectId, name: project.name })
    return { id, secret, webhookUrl: webhookUrl(ctx, id) }
  })
}

/** Removes a source. Later posts to it get 404; ideas that it accepted before still become tickets. */
export function removeSource(ctx: CallerContext<'db' | 'clock'>, id: string): Promise<{ id: string }> {
  const orgId = ctx.caller.organizationId
  return transact(ctx.db, async (trx) => {
    const row = await trx
      .deleteFrom('ingest_sources as s')
      .using(PROJECTS_AS_P)
      .whereRef('p.org_id', '=', 's.org_id')
      .whereRef('p.id', '=', 's.project_id')
      .where('s.org_id', '=', orgId)
      .where('s.id', '=', id)
      .returning(['s.project_id', 'p.name'])
      .executeTakeFirst()
    if (row === undefined) throw notFound('ingest source')
    await recordSourceChange(ctx, trx, {
      action: 'ingest_source.deleted',
      id,
      projectId: row.project_id,
      name: row.name,
    })
    return { id }
  })
}

export type Source = Omit<IngestSourcesTable, 'created_at' | 'created_by'>

/**
 * Finds a source by its id alone, because a post names no organization. The result is not cached, so that a removal
 * takes effect at once.
 */
export const findSource = batchedLookup<Source>(
  'ingest-source',
  'select id, org_id, project_id, secret from ingest_sources where id = any(:keys)',
  (row) => row.id,
)

/** Decrypts the secret of a source. Throws `UnreadableError` when the secret is damaged or the keyring lacks the key. */
export const openSecret = ({ keyring }: Pick<Ports, 'keyring'>, source: Source): string =>
  keyring.open(source.secret, secretPlace(source.id, source.org_id))

const secretPlace = (id: string, organizationId: string): SealedPlace => ({
  table: 'ingest_sources',
  id,
  column: 'secret',
  organizationId,
})

const webhookUrl = ({ config }: Pick<Ports, 'config'>, id: string): string => `${config.ingestUrl}/i/${id}`

async function countSources(trx: Trx, orgId: string): Promise<number> {
  const row = await trx
    .selectFrom('ingest_sources')
    .select((eb) => eb.fn.countAll<number>().as('held'))
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  return row.held
}

export function recordSourceChange(
  ctx: CallerContext<'clock'>,
  trx: Trx,
  change: { action: string; id: string; projectId: string; name: string },
): Promise<void> {
  return recordCallerChange(ctx, trx, {
    action: change.action,
    target: change.id,
    projectId: change.projectId,
    projectName: change.name,
  })
}

/** The secrets are left out, because an export may be stored anywhere. */
export const EXPORTED_SOURCES: ExportedTable = {
  fields: {
    id: 'id',
    projectId: 'project_id',
    createdBy: 'created_by',
    createdAt: isoTime('created_at'),
  },
  from: 'ingest_sources where org_id = $1 order by created_at, id',
}
