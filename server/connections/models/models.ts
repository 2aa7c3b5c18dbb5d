import type { ModelFailure } from '../../agent/model/failure.ts'
import { type Db, transact, type Trx } from '../../db/database.ts'
import { lockOrganization } from '../../db/locks.ts'
import type { ModelConnectionsTable, StoredModelLimits } from '../../db/tables/connections.ts'
import type { CallerContext, Context } from '../../endpoint.ts'
import { recordCallerChange } from '../../activity/log.ts'
import { conflict, invalid, notFound } from '../../http/errors.ts'
import { addressRefusal } from '../../lib/address-policy.ts'
import { newId } from '../../lib/ids.ts'
import { ProviderError } from '../../lib/provider-error.ts'
import type { Ports } from '../../platform.ts'
import { allowedFor, findModelConnection, openChosenModel } from './access.ts'
import { readModelList } from './list.ts'
import { type ModelConnectionChange, type NewModelConnection, presentModelConnection } from './record.ts'
import { tryModel } from './try-model.ts'

const SCAFFOLD_MODEL = 'scaffold-1'
/** Limited, because lists return all connections, each with up to 100 names of models. */
const CONNECTIONS_MAX = 100

export async function listModelConnections(ctx: CallerContext<'db'>) {
  const rows = await ctx.db
    .selectFrom('model_connections')
    .selectAll()
    .where('org_id', '=', ctx.caller.organizationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(presentModelConnection)
}

/** Connects a model. The organization's first model becomes its default. */
export async function createModelConnection(ctx: Context<'accounts' | 'config'>, input: NewModelConnection) {
  const orgId = ctx.caller.organizationId
  const id = newId('mdl')
  const { models, defaultModel } = requireModels(ctx, input)
  requireUsableConnection(ctx, {
    provider: input.provider,
    baseUrl: input.baseUrl ?? null,
    hasKey: input.key != null,
  })
  if (input.provider === 'workers-ai') await ctx.accounts.requireCloud(orgId)
  const row = await transact(ctx.db, async (trx) => {
    // Without the lock, two first connections that are created at the same time could both become the default.
    await lockOrganization(trx, orgId)
    if ((await countConnections(trx, orgId)) >= CONNECTIONS_MAX)
      throw conflict(
        `An organization can have at most ${CONNECTIONS_MAX} model connections: remove one first.`,
      )
    const isDefault = input.isDefault === true || !(await hasDefault(trx, orgId))
    if (isDefault) await clearDefault(trx, orgId)
    await recordModelChange(ctx, trx, { action: 'model.created', label: input.label, fields: input })
    return trx
      .insertInto('model_connections')
      .values({
        id,
        org_id: orgId,
        provider: input.provider,
        label: input.label,
        base_url: input.baseUrl ?? null,
        key: input.key == null ? null : ctx.accounts.sealModelKey({ id, org_id: orgId }, input.key),
        models,
        default_model: defaultModel,
        is_default: isDefault,
        limits: input.limits == null ? null : JSON.stringify(input.limits),
        modalities: input.modalities ?? null,
        created_at: ctx.clock.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  return presentModelConnection(row)
}

/**
 * Changes the given fields. When the address changes, the key must be entered again, so that the stored key is not
 * sent to another server.
 */
export async function updateModelConnection(
  ctx: Context<'accounts' | 'config'>,
  id: string,
  change: ModelConnectionChange,
) {
  const orgId = ctx.caller.organizationId
  const row = await transact(ctx.db, async (trx) => {
    await lockOrganization(trx, orgId)
    const before = await loadConnection(trx, orgId, id)
    const baseUrl = change.baseUrl === undefined ? before.base_url : change.baseUrl
    const key = sealedKey(ctx, before, change.key)
    requireUsableConnection(ctx, { provider: before.provider, baseUrl, hasKey: key !== null })
    if (
      before.key !== null &&
      change.key === undefined &&
      originOrNull(baseUrl) !== originOrNull(before.base_url)
    )
      throw invalid('key', 'enter the key again: the address changed')
    if (change.isDefault === true) await clearDefault(trx, orgId)
    const defaultModel = change.defaultModel ?? before.default_model
    await recordModelChange(ctx, trx, { action: 'model.updated', label: before.label, fields: change })
    return trx
      .updateTable('model_connections')
      .set({
        label: change.label ?? before.label,
        base_url: baseUrl,
        key,
        models: withDefault(change.models ?? before.models, defaultModel),
        default_model: defaultModel,
        is_default: change.isDefault ?? before.is_default,
        limits: storedLimits(before.limits, change.limits),
        modalities: change.modalities === undefined ? before.modalities : change.modalities,
      })
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  return presentModelConnection(row)
}

/**
 * Disconnects a model. Projects that chose it use the default from now on. When it was the default, the oldest remaining model becomes the
 * default.
 */
export async function deleteModelConnection(ctx: CallerContext<'db' | 'clock'>, id: string) {
  const orgId = ctx.caller.organizationId
  await transact(ctx.db, async (trx) => {
    await lockOrganization(trx, orgId)
    const row = await loadConnection(trx, orgId, id)
    await trx.deleteFrom('model_connections').where('org_id', '=', orgId).where('id', '=', id).execute()
    await recordModelChange(ctx, trx, { action: 'model.deleted', label: row.label, fields: {} })
    if (!row.is_default) return
    await trx
      .updateTable('model_connections')
      .set({ is_default: true })
      .where('org_id', '=', orgId)
      .where('id', '=', (eb) =>
        eb
          .selectFrom('model_connections')
          .select('id')
          .where('org_id', '=', orgId)
          .orderBy('created_at')
          .orderBy('id')
          .limit(1),
      )
      .execute()
  })
  return { id, deleted: true as const }
}

/**
 * Sends the model one short request, so that a wrong key or address is noticed before a build uses it.
 */
export async function testModelConnection(ctx: Context<'accounts'>, id: string) {
  const row = await loadConnection(ctx.db, ctx.caller.organizationId, id)
  const latencyMs = await tryModel(openChosenModel(ctx, row, row.default_model), ctx.signal).catch(
    (failure: ModelFailure) => {
      throw new ProviderError('model', failure.message, {
        cause: failure,
        retryable: failure.isRetryable,
        retryAfterSeconds: failure.retryAfterSeconds,
      })
    },
  )
  const { connection, fetch } = ctx.accounts.openModel(row)
  return {
    model: row.default_model,
    latencyMs,
    // A list that cannot be read does not fail the test, because the model has responded.
    models: await readModelList(connection, fetch, ctx).catch(() => []),
  }
}

async function loadConnection(db: Db | Trx, orgId: string, id: string): Promise<ModelConnectionsTable> {
  const row = await findModelConnection(db, orgId, id)
  if (row === null) throw notFound('model connection')
  return row
}

async function countConnections(trx: Trx, orgId: string): Promise<number> {
  const row = await trx
    .selectFrom('model_connections')
    .select((eb) => eb.fn.countAll<number>().as('held'))
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  return row.held
}

async function hasDefault(trx: Trx, orgId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('model_connections')
    .select('id')
    .where('org_id', '=', orgId)
    .where('is_default', '=', true)
    .executeTakeFirst()
  return row !== undefined
}

async function clearDefault(trx: Trx, orgId: string): Promise<void> {
  await trx.updateTable('model_connections').set({ is_default: false }).where('org_id', '=', orgId).execute()
}

function requireModels(
  ctx: Pick<Ports, 'config'>,
  input: NewModelConnection,
): { models: string[]; defaultModel: string } {
  if (input.provider === 'scaffold') {
    if (ctx.config.modelBaseUrl === null)
      throw invalid('provider', 'scaffold needs the local world, which is off')
    return { models: [SCAFFOLD_MODEL], defaultModel: SCAFFOLD_MODEL }
  }
  const defaultModel = input.defaultModel ?? input.models?.[0]
  if (defaultModel === undefined) throw invalid('defaultModel', 'is required')
  return { models: withDefault(input.models ?? [], defaultModel), defaultModel }
}

/** Throws for a connection that lacks what its provider needs, or whose address would be refused at the first call. */
function requireUsableConnection(
  ctx: Pick<Ports, 'config'>,
  { provider, baseUrl, hasKey }: { provider: string; baseUrl: string | null; hasKey: boolean },
): void {
  if (provider === 'scaffold') return
  if (provider === 'workers-ai') {
    // A key is refused and not ignored, because the sender expects it to be used, and a key that is not used must not be stored.
    if (hasKey) throw invalid('key', 'is not used: Workers AI takes the connected Cloudflare account')
    if (baseUrl !== null)
      throw invalid('baseUrl', 'is not used: Workers AI takes the connected Cloudflare account')
    return
  }
  const isCompatible = provider === 'openai-compatible'
  if (isCompatible && baseUrl === null)
    throw invalid('baseUrl', 'is required for an OpenAI-compatible server')
  if (!isCompatible && !hasKey) throw invalid('key', 'is required')
  const refusal = baseUrl === null ? null : addressRefusal(baseUrl, allowedFor(ctx.config))
  if (refusal !== null) throw invalid('baseUrl', refusal)
}

/** Returns the origin of a base address; null when there is none, which means the provider's own address. */
const originOrNull = (baseUrl: string | null): string | null =>
  baseUrl === null ? null : new URL(baseUrl).origin

/** Records the names of the changed fields without their values, because a key may be among them. */
function recordModelChange(
  ctx: CallerContext<'clock'>,
  trx: Trx,
  { action, label, fields }: { action: string; label: string; fields: object },
): Promise<void> {
  const named = Object.entries(fields).filter(([, value]) => value !== undefined)
  return recordCallerChange(ctx, trx, {
    action,
    target: label,
    detail: named.map(([name]) => name).join(', ') || null,
  })
}

const withDefault = (models: string[], defaultModel: string) =>
  models.includes(defaultModel) ? models : [defaultModel, ...models]

function sealedKey(
  ctx: Pick<Ports, 'accounts'>,
  row: ModelConnectionsTable,
  key: string | null | undefined,
): string | null {
  if (key === undefined) return row.key
  return key === null ? null : ctx.accounts.sealModelKey(row, key)
}

function storedLimits(
  before: ModelConnectionsTable['limits'],
  limits: StoredModelLimits | null | undefined,
): ModelConnectionsTable['limits'] {
  if (limits === undefined) return before
  return limits === null ? null : JSON.stringify(limits)
}
