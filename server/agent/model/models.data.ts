export const INPUT_MODALITIES = ['images', 'pdfs'] as const
export type Modality = (typeof INPUT_MODALITIES)[number]

/** The known properties of models by name. A model that matches no entry gets the defaults. */
export interface ModelProperties {
  /** Size of the context window, in tokens. */
  windowTokens: number
  /** The maximum number of output tokens of one call; null: the provider decides. */
  outputTokensMax: number | null
  modalities: readonly Modality[]
}

const UNKNOWN_MODEL: ModelProperties = { windowTokens: 128_000, outputTokensMax: null, modalities: [] }

// First match wins. The numbers are published by the providers and rounded down.
const KNOWN_MODELS: [pattern: RegExp, facts: ModelProperties][] = [
  [
    /^claude-(opus|sonnet|haiku)-[4-9]/,
    { windowTokens: 200_000, outputTokensMax: 32_000, modalities: INPUT_MODALITIES },
  ],
  [/^claude-3-7/, { windowTokens: 200_000, outputTokensMax: 32_000, modalities: INPUT_MODALITIES }],
  [/^claude/, { windowTokens: 200_000, outputTokensMax: 8_000, modalities: ['images'] }],
  [/^gpt-4\.1/, { windowTokens: 1_000_000, outputTokensMax: 32_000, modalities: INPUT_MODALITIES }],
  [/^gpt-5/, { windowTokens: 270_000, outputTokensMax: null, modalities: INPUT_MODALITIES }],
  [/^(o1|o3)-mini/, { windowTokens: 200_000, outputTokensMax: null, modalities: [] }],
  [/^(o1|o3|o4)/, { windowTokens: 200_000, outputTokensMax: null, modalities: INPUT_MODALITIES }],
  [/^gemini-(1\.5|2|3)/, { windowTokens: 1_000_000, outputTokensMax: null, modalities: INPUT_MODALITIES }],
]

export function modelFacts(modelId: string): ModelProperties {
  const bare = modelId.slice(modelId.lastIndexOf('/') + 1).toLowerCase()
  return KNOWN_MODELS.find(([pattern]) => pattern.test(bare))?.[1] ?? UNKNOWN_MODEL
}
