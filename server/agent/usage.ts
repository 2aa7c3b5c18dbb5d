import type { LanguageModelUsage } from 'ai'

/** What one model call cost. `input` includes what was read from the provider's cache. */
export interface CallUsage {
  input: number
  output: number
  reasoning: number
  cacheRead: number
  cacheWrite: number
  /** The provider sent no numbers: characters / 4. */
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

/** The provider's numbers, or an estimate from what was sent and received when it sent none. */
export function callUsage(
  usage: LanguageModelUsage | undefined,
  chars: { input: number; output: number },
): CallUsage {
  const input = estimateTokens(chars.input)
  const output = estimateTokens(chars.output)
  return statedUsage(usage) ?? { ...NO_USAGE, input, output, estimated: true }
}

/** The provider's numbers, or null when it sent none. */
export function statedUsage(usage: LanguageModelUsage | undefined): CallUsage | null {
  if (usage === undefined || (usage.inputTokens === undefined && usage.outputTokens === undefined))
    return null
  return {
    input: usage.inputTokens ?? 0,
    output: usage.outputTokens ?? 0,
    reasoning: usage.outputTokenDetails.reasoningTokens ?? 0,
    cacheRead: usage.inputTokenDetails.cacheReadTokens ?? 0,
    cacheWrite: usage.inputTokenDetails.cacheWriteTokens ?? 0,
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

/** Tokens as the budget counts them: what came from the cache costs a tenth. */
export function budgetTokens(usage: CallUsage): number {
  return Math.round(usage.input - usage.cacheRead + usage.cacheRead / 10 + usage.output)
}
