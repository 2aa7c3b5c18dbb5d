import type { LanguageModelUsage } from 'ai'

/** The tokens of one model call. `input` includes the tokens read from the provider's cache. */
export interface CallUsage {
  input: number
  output: number
  reasoning: number
  cacheRead: number
  cacheWrite: number
  /** True when the provider sent no counts. The counts are then estimated as characters / 4. */
  estimated: boolean
}

export const NO_USAGE: CallUsage = {
  input: 0,
  output: 0,
  reasoning: 0,
  cacheRead: 0,
  cacheWrite: 0,
  estimated: false,
}

export const estimateTokens = (chars: number) => Math.ceil(chars / 4)

/** Returns the provider's counts. Without them, returns an estimate from the sent and received text. */
export function callUsage(
  usage: LanguageModelUsage | undefined,
  chars: { input: number; output: number },
): CallUsage {
  const input = estimateTokens(chars.input)
  const output = estimateTokens(chars.output)
  return reportedUsage(usage) ?? { ...NO_USAGE, input, output, estimated: true }
}

// Far above any real call. A thousand calls of this size still fit the columns and sums that count tokens.
const TOKENS_MAX = 1_000_000_000

const isCount = (tokens: number) => Number.isSafeInteger(tokens) && tokens >= 0 && tokens <= TOKENS_MAX

/** Returns the provider's counts. Null without counts, or when the input or output total cannot be a number of tokens. */
export function reportedUsage(usage: LanguageModelUsage | undefined): CallUsage | null {
  if (usage === undefined || (usage.inputTokens === undefined && usage.outputTokens === undefined))
    return null
  const { inputTokens: input = 0, outputTokens: output = 0 } = usage
  if (!isCount(input) || !isCount(output)) return null
  // Limit a part to its total. Otherwise a call could have a negative cost.
  const part = (tokens = 0, sum: number) => (isCount(tokens) ? Math.min(tokens, sum) : 0)
  return {
    input,
    output,
    reasoning: part(usage.outputTokenDetails.reasoningTokens, output),
    cacheRead: part(usage.inputTokenDetails.cacheReadTokens, input),
    cacheWrite: part(usage.inputTokenDetails.cacheWriteTokens, input),
    estimated: false,
  }
}

export function addUsage(a: CallUsage, b: CallUsage): CallUsage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    estimated: a.estimated || b.estimated,
  }
}

/** Returns tokens as the budget counts them: a cached token counts as a tenth. */
export function budgetTokens(usage: CallUsage): number {
  return Math.round(usage.input - usage.cacheRead + usage.cacheRead / 10 + usage.output)
}
