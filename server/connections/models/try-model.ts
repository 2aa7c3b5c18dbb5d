import { type LanguageModel, generateText } from 'ai'
import { toModelFailure } from '../../agent/model/failure.ts'

const TRY_MS_MAX = 30_000

/**
 * Calls a model once and returns the duration in milliseconds. Throws `ModelFailure`. Does not retry, so that the
 * person soon sees the error.
 */
export async function tryModel(model: LanguageModel, signal: AbortSignal): Promise<number> {
  const begun = performance.now()
  try {
    await generateText({
      model,
      prompt: 'Answer with the word ok.',
      // Enough for a model that reasons first, because reasoning tokens count as output.
      maxOutputTokens: 512,
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, AbortSignal.timeout(TRY_MS_MAX)]),
    })
  } catch (error) {
    throw toModelFailure(error)
  }
  return Math.round(performance.now() - begun)
}
