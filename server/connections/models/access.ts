import type { SealedPlace } from '../../crypto/keyring.ts'
import type { LanguageModel } from 'ai'
import { DEFAULT_LIMITS, type RunLimits } from '../../agent/loop/run-limits.ts'
import { type ModelConnection, openModel } from '../../agent/model/models.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { ModelConnectionsTable } from '../../db/tables/connections.ts'
import { ApiError } from '../../http/errors.ts'
import { type OutboundFetch, outboundFetch } from '../../lib/outbound.ts'
import { ProviderError } from '../../lib/provider-error.ts'
import type { Config } from '../../config.ts'
import type { PlatformPorts, Ports } from '../../platform.ts'
import { ACCOUNT_BASE_URL, MODEL_IDLE_MS_MAX, accountFetch } from './account.ts'
import { readStoredLimits } from './record.ts'

export interface ChosenModel {
  connection: ModelConnectionsTable
  modelId: string
  limits: RunLimits
  /** True when the project uses the organization's default model. */
  inherited: boolean
}

/**
 * Returns the model that a project uses. A chosen connection without a chosen model uses the connection's default model. Throws
 * `model_required` when the organization has connected no model.
 */
export async function chooseModel(
  db: Db | Trx,
  project: { org_id: string; model_connection_id: string | null; model: string | null },
): Promise<ChosenModel> {
  const own = project.model_connection_id
  const row = await db
    .selectFrom('model_connections')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where((eb) => (own === null ? eb('is_default', '=', true) : eb('id', '=', own)))
    .executeTakeFirst()
  if (row === undefined) {
    throw new ApiError(
      'model_required',
      'No model is connected. An owner or admin can connect one under Connections.',
    )
  }
  return {
    connection: row,
    modelId: (own === null ? null : project.model) ?? row.default_model,
    limits: readLimits(row.limits),
    inherited: own === null,
  }
}

/** Returns the model connection with this id; null when it was removed. */
export async function findModelConnection(
  db: Db | Trx,
  orgId: string,
  id: string,
): Promise<ModelConnectionsTable | null> {
  return (await connectionById(db, orgId, id).executeTakeFirst()) ?? null
}

/** Like `findModelConnection`, and also keeps the connection from being removed until the transaction ends. */
export async function findModelConnectionForShare(
  trx: Trx,
  orgId: string,
  id: string,
): Promise<ModelConnectionsTable | null> {
  return (await connectionById(trx, orgId, id).forKeyShare().executeTakeFirst()) ?? null
}

const connectionById = (db: Db | Trx, orgId: string, id: string) =>
  db.selectFrom('model_connections').selectAll().where('org_id', '=', orgId).where('id', '=', id)

/**
 * Returns a model connection with its key decrypted. The addresses of Workers AI and of the built-in model are not
 * stored, so they are added here.
 */
export function openModelConnection(
  platform: Pick<Ports, 'config' | 'keyring'>,
  row: ModelConnectionsTable,
): ModelConnection {
  const provider = row.provider
  if (provider === 'workers-ai') return { provider, baseUrl: `${ACCOUNT_BASE_URL}/ai/v1`, key: null }
  const baseUrl = provider === 'scaffold' ? platform.config.modelBaseUrl : row.base_url
  if (provider === 'scaffold' && baseUrl === null) {
    throw new ProviderError('model', 'The scaffold model belongs to the local world, which is off.')
  }
  return { provider, baseUrl, key: row.key === null ? null : platform.keyring.open(row.key, keyPlace(row)) }
}

export function openChosenModel(
  { accounts }: Pick<Ports, 'accounts'>,
  row: ModelConnectionsTable,
  modelId: string,
): LanguageModel {
  const { connection, fetch } = accounts.openModel(row)
  return openModel(connection, modelId, fetch)
}

/**
 * Returns the `fetch` for the requests of a connection. It refuses private addresses that the operator did not
 * allow (SSRF). For Workers AI it uses the token of the cloud account.
 */
export function connectionFetch(
  platform: PlatformPorts<'config' | 'keyring'>,
  row: Pick<ModelConnectionsTable, 'provider' | 'org_id'>,
): typeof globalThis.fetch {
  return row.provider === 'workers-ai' ? accountFetch(platform, row.org_id) : modelFetch(platform.config)
}

/** A key can be decrypted only in the row for which it was encrypted. */
export const keyPlace = (row: { id: string; org_id: string }): SealedPlace => ({
  table: 'model_connections',
  id: row.id,
  column: 'key',
  organizationId: row.org_id,
})

const fetchOfConfig = new WeakMap<Config, OutboundFetch>()

/**
 * Returns a `fetch` that refuses private addresses. There is one for each configuration, so that open
 * connections are reused.
 */
export function modelFetch(config: Config): OutboundFetch {
  const kept = fetchOfConfig.get(config)
  if (kept !== undefined) return kept
  const made = outboundFetch({ allow: allowedFor(config), idleTimeoutMs: MODEL_IDLE_MS_MAX })
  fetchOfConfig.set(config, made)
  return made
}

/**
 * Returns the private addresses that model requests may reach: the addresses that the operator listed, and the address
 * of the built-in model, which is on this machine.
 */
export function allowedFor(config: Config): string[] {
  const local = config.modelBaseUrl === null ? [] : [new URL(config.modelBaseUrl).origin]
  return [...config.outboundAllow, ...local]
}

/** Returns the limits of a connection, with defaults for limits that it does not set. */
export function readLimits(text: ModelConnectionsTable['limits']): RunLimits {
  const own = text === null ? {} : readStoredLimits(text)
  return {
    steps: own.steps ?? DEFAULT_LIMITS.steps,
    tokens: own.tokens ?? DEFAULT_LIMITS.tokens,
    minutes: own.minutes ?? DEFAULT_LIMITS.minutes,
  }
}
