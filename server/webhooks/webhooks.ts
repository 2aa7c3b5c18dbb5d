import { type ExportedTable, listField } from '../lib/exported.ts'
import { isoTime } from '../lib/sql-json.ts'
import { newSigningSecret } from '../crypto/signature.ts'
import type { SealedPlace } from '../crypto/keyring.ts'
import { transact, type Trx } from '../db/database.ts'
import { lockOrganization } from '../db/locks.ts'
import type { CallerContext, Context } from '../endpoint.ts'
import { recordCallerChange } from '../activity/log.ts'
import type { EventType } from '../events/event-types.ts'
import { conflict, invalid, notFound } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { refusalOfUrl } from '../lib/outbound.ts'
import { lockCallerMembership } from '../membership/lock-caller-membership.ts'
import type { Ports } from '../platform.ts'

type EventName = EventType | '*'

/** The number of endpoints is limited, because the transaction of every change stores one delivery per subscribed endpoint. */
export const ENDPOINTS_MAX = 100

/** Returns the organization's endpoints, the newest first, without their secrets. */
export async function listWebhooks(ctx: CallerContext<'db'>) {
  const rows = await ctx.db
    .selectFrom('webhook_endpoints')
    .select(['id', 'url', 'events', 'last_delivery_at', 'created_at'])
    .where('org_id', '=', ctx.caller.organizationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    url: row.url,
    events: row.events as EventName[],
    lastDeliveryAt: row.last_delivery_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }))
}

/** Creates an endpoint that receives events from now on. Only this response contains the endpoint's secret. */
export async function createWebhook(
  ctx: Context<'config' | 'keyring'>,
  input: { url: string; events: EventName[] },
) {
  await requireReachable(ctx, input.url)
  const orgId = ctx.caller.organizationId
  const id = newId('whe')
  const secret = newSigningSecret()
  await transact(ctx.db, async (trx) => {
    await lockOrganization(trx, orgId)
    await lockCallerMembership(ctx, trx)
    if ((await countEndpoints(trx, orgId)) >= ENDPOINTS_MAX)
      throw conflict(`An organization holds at most ${ENDPOINTS_MAX} webhook endpoints: delete one first.`)
    await trx
      .insertInto('webhook_endpoints')
      .values({
        id,
        org_id: orgId,
        url: input.url,
        events: [...new Set(input.events)],
        secret: ctx.keyring.seal(secret, secretPlace(id, orgId)),
        last_delivery_at: null,
        created_at: ctx.clock.now(),
        created_by: ctx.caller.userId,
      })
      .execute()
    await recordWebhookChange(ctx, trx, 'webhook.created', input.url)
  })
  return { id, secret }
}

/** Deletes an endpoint. Its open deliveries stay in the table until they are purged, and are never claimed once the endpoint is deleted. */
export function deleteWebhook(ctx: CallerContext<'db' | 'clock'>, id: string): Promise<{ id: string }> {
  return transact(ctx.db, async (trx) => {
    const row = await trx
      .deleteFrom('webhook_endpoints')
      .where('org_id', '=', ctx.caller.organizationId)
      .where('id', '=', id)
      .returning('url')
      .executeTakeFirst()
    if (!row) throw notFound('webhook endpoint')
    await recordWebhookChange(ctx, trx, 'webhook.deleted', row.url)
    return { id }
  })
}

/** A secret decrypts only in the row for which it was encrypted. */
export function secretPlace(id: string, organizationId: string): SealedPlace {
  return { table: 'webhook_endpoints', id, column: 'secret', organizationId }
}

/**
 * Throws 400 for an address to which every delivery would fail. A host name that does not resolve is accepted,
 * because its DNS record may be created later.
 */
async function requireReachable(ctx: Pick<Ports, 'config'>, text: string): Promise<void> {
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    throw invalid('url', 'must not contain a user name or password; deliveries are signed instead')
  const refusal = await refusalOfUrl(url, ctx.config.outboundAllow)
  if (refusal !== null) throw invalid('url', refusal)
}

async function countEndpoints(trx: Trx, orgId: string): Promise<number> {
  const row = await trx
    .selectFrom('webhook_endpoints')
    .select((eb) => eb.fn.countAll<number>().as('held'))
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  return row.held
}

export function recordWebhookChange(
  ctx: CallerContext<'clock'>,
  trx: Trx,
  action: string,
  url: string,
): Promise<void> {
  return recordCallerChange(ctx, trx, {
    action,
    // Only the host is logged, because the path or query is often the receiver's secret.
    target: new URL(url).host,
  })
}

/** The secrets are left out, because an export may be stored anywhere. */
export const EXPORTED_WEBHOOKS: ExportedTable = {
  fields: {
    id: 'id',
    url: 'url',
    events: listField('events'),
    createdBy: 'created_by',
    createdAt: isoTime('created_at'),
    lastDeliveryAt: isoTime('last_delivery_at'),
  },
  from: 'webhook_endpoints where org_id = $1 order by created_at, id',
}
