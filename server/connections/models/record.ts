import * as z from 'zod'
import { INPUT_MODALITIES } from '../../agent/model/models.data.ts'
import { MODEL_PROVIDERS } from '../../agent/model/models.ts'
import type { ModelConnectionsTable, StoredModelLimits } from '../../db/tables/connections.ts'
import { MODEL_SERVICES } from './services.ts'

const Limits = z.object({
  steps: z.int().min(1).max(500).optional(),
  tokens: z.int().min(1_000).max(100_000_000).optional(),
  minutes: z.number().min(0.1).max(120).optional(),
})

const StoredLimits = z.object({
  steps: Limits.shape.steps.catch(undefined),
  tokens: Limits.shape.tokens.catch(undefined),
  minutes: Limits.shape.minutes.catch(undefined),
})

const Modality = z.enum(INPUT_MODALITIES)
const Modalities = z
  .array(Modality)
  .describe(
    'What the models of this connection read beside text; null takes what is known of a model by its name.',
  )

/** A model connection in responses. It contains whether there is a key, but never the key. */
export const ModelConnectionRecord = z
  .object({
    id: z.string(),
    provider: z.enum(MODEL_PROVIDERS),
    label: z.string(),
    baseUrl: z.string().nullable(),
    models: z.array(z.string()),
    defaultModel: z.string(),
    isDefault: z.boolean(),
    limits: Limits.nullable(),
    modalities: Modalities.nullable(),
    hasKey: z.boolean(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'ModelConnection' })
export type ModelConnectionRecord = z.output<typeof ModelConnectionRecord>

const Label = z.string().trim().min(1).max(80)
const ModelName = z.string().trim().min(1).max(200)
const BaseUrl = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .transform((url) => url.replace(/\/+$/, ''))
const Key = z.string().trim().min(1).max(2_000)

export const NewModelConnection = z.object({
  provider: z.enum(MODEL_PROVIDERS),
  label: Label,
  baseUrl: BaseUrl.nullish(),
  key: Key.nullish(),
  models: z.array(ModelName).max(100).optional(),
  defaultModel: ModelName.optional(),
  isDefault: z.boolean().optional(),
  limits: Limits.nullish(),
  modalities: Modalities.nullish(),
})
export type NewModelConnection = z.output<typeof NewModelConnection>

export const ModelConnectionChange = z.object({
  label: Label.optional(),
  baseUrl: BaseUrl.nullish(),
  key: Key.nullish(),
  models: z.array(ModelName).max(100).optional(),
  defaultModel: ModelName.optional(),
  isDefault: z.literal(true).optional(),
  limits: Limits.nullish(),
  modalities: Modalities.nullish(),
})
export type ModelConnectionChange = z.output<typeof ModelConnectionChange>

export const ModelTest = z
  .object({
    model: z.string(),
    latencyMs: z.int(),
    /** The models that the provider lists; empty when it lists none. */
    models: z.array(z.string()),
  })
  .meta({ id: 'ModelTest' })

export const ModelQuestion = z.object({
  key: Key.optional().describe('Used for this answer only: neither stored, logged nor shown.'),
  baseUrl: BaseUrl.optional(),
  service: z
    .enum(MODEL_SERVICES)
    .optional()
    .describe('Whose key it is, when its beginning does not say so; beside an address, the protocol spoken.'),
  model: ModelName.optional().describe('The one to try instead of the recommended one.'),
})
export type ModelQuestion = z.output<typeof ModelQuestion>

const OfferedModels = z
  .array(z.object({ id: z.string(), recommended: z.boolean() }))
  .describe('The recommended one first, the others as the provider lists them.')

export const ModelFinding = z
  .object({
    service: z.enum(MODEL_SERVICES).nullable().describe('Null for a server of another name.'),
    name: z.string(),
    provider: z.enum(MODEL_PROVIDERS),
    baseUrl: z.string().nullable(),
    models: OfferedModels,
    test: z.object({
      model: z.string(),
      ok: z.boolean(),
      latencyMs: z.int().nullable(),
      error: z.string().nullable(),
    }),
  })
  .meta({ id: 'ModelFinding' })
export type ModelFinding = z.output<typeof ModelFinding>

/** One entry for each default address, whether or not a program was found there. */
export const LocalModels = z
  .object({
    setting: z
      .string()
      .describe('The setting that has to list an address before the service connects to it.'),
    servers: z.array(
      z.object({
        name: z.string(),
        baseUrl: z.string(),
        state: z.enum(['found', 'absent', 'not_allowed']),
        allow: z.string().describe('What the setting has to list for this server.'),
        models: OfferedModels,
      }),
    ),
  })
  .meta({ id: 'LocalModels' })
export type LocalModels = z.output<typeof LocalModels>

/**
 * Returns the limits that a connection sets. Leaves out one that this release does not accept any more: builds then use the default, and
 * responses keep to the bounds of the contract.
 */
export const readStoredLimits = (text: JsonText<StoredModelLimits>): StoredModelLimits =>
  StoredLimits.parse(JSON.parse(text))

export function presentModelConnection(row: ModelConnectionsTable): ModelConnectionRecord {
  return {
    id: row.id,
    provider: row.provider,
    label: row.label,
    baseUrl: row.base_url,
    models: row.models,
    defaultModel: row.default_model,
    isDefault: row.is_default,
    limits: row.limits === null ? null : readStoredLimits(row.limits),
    modalities: row.modalities?.flatMap((one) => Modality.safeParse(one).data ?? []) ?? null,
    hasKey: row.key !== null,
    createdAt: row.created_at.toISOString(),
  }
}
