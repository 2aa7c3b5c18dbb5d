/** What is known about a model from its name; everything else counts as unknown and gets the defaults. */
export interface ModelFacts {
  /** Tokens the model can see at once. */
  windowTokens: number
  /** Most tokens of one answer; null leaves it to the provider. */
  outputTokensMax: number | null
}

const UNKNOWN: ModelFacts = { windowTokens: 128_000, outputTokensMax: null }

// First match wins. Numbers are the providers' published ones, rounded down.
const KNOWN: [pattern: RegExp, facts: ModelFacts][] = [
  [/^claude-(opus|sonnet|haiku)-[4-9]/, { windowTokens: 200_000, outputTokensMax: 32_000 }],
  [/^claude-3-7/, { windowTokens: 200_000, outputTokensMax: 32_000 }],
  [/^claude/, { windowTokens: 200_000, outputTokensMax: 8_000 }],
  [/^gpt-4\.1/, { windowTokens: 1_000_000, outputTokensMax: 32_000 }],
  [/^gpt-5/, { windowTokens: 270_000, outputTokensMax: null }],
  [/^(o1|o3|o4)/, { windowTokens: 200_000, outputTokensMax: null }],
  [/^gemini-(1\.5|2|3)/, { windowTokens: 1_000_000, outputTokensMax: null }],
]

/** Window and output limit of a model, by its name. */
export function modelFacts(modelId: string): ModelFacts {
  const bare = modelId.slice(modelId.lastIndexOf('/') + 1).toLowerCase()
  return KNOWN.find(([pattern]) => pattern.test(bare))?.[1] ?? UNKNOWN
}
