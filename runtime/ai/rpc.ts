import { endReservation, reserveOfMonth, spendOfMonth } from '../directory/month.ts'
import { rpcMethod, type LiveContext } from '../kernel/objects/rpc-method.ts'
import type { AsyncHandlersOf } from '../kernel/objects/calls.ts'
import { ApiError, invalid } from '../kernel/errors.ts'
import { rejectWhenLate } from '../kernel/reject-when-late.ts'
import { logError } from '../kernel/objects/log.ts'
import { aiSettingsOf, askModel, embedTexts, modelError, parseModelReply } from './models.ts'
import type { AiCalls, AiChat, AiSpend } from './types.ts'

/**
 * The timeout of a model call. It must be shorter than the ten minutes after which a budget reservation expires: a call that ended later
 * would not be counted.
 */
const MODEL_RUN_MS_MAX = 60_000
const MESSAGES_MAX = 200
const INPUT_CHARS_MAX = 200_000
const TEXTS_MAX = 100

type AiContext = Pick<LiveContext, 'objects' | 'env'>

export const handleAi = rpcMethod<AiContext, AiCalls>(aiHandlers)

function aiHandlers(context: AiContext): AsyncHandlersOf<AiCalls> {
  const settings = aiSettingsOf(context.env)
  return {
    run: async (chat) => {
      requireSize(chat)
      return parseModelReply(await countRun(context, () => askModel(settings, chat, false)))
    },
    stream: (chat) => {
      requireSize(chat)
      return countRun(context, () => askModel(settings, chat, true)) as Promise<ReadableStream<Uint8Array>>
    },
    embed: async ({ texts }) => {
      const isList = Array.isArray(texts) && texts.every((text) => typeof text === 'string' && text !== '')
      if (!isList || texts.length < 1 || texts.length > TEXTS_MAX)
        throw invalid('texts', `must be 1 to ${TEXTS_MAX} texts`)
      requireChars('texts', texts.join(''))
      return await embed(context, texts)
    },
  }
}

/** Each call counts as one run of the budget, whatever the number of texts. */
export const embed = (context: AiContext, texts: string[]): Promise<number[][]> =>
  countRun(context, () => embedTexts(aiSettingsOf(context.env), texts))

export async function readSpend(context: AiContext): Promise<AiSpend> {
  const { month, used } = await spendOfMonth(context.objects, budgetOf(context))
  return { month, used }
}

const budgetOf = ({ env }: AiContext) => ({ key: 'ai' as const, monthly: aiSettingsOf(env).monthlyRuns })

/**
 * Reserves a run of the budget before it calls the model. Releases the run when the call fails, but counts it after a timeout, because the
 * provider may have charged for it.
 */
async function countRun<T>(context: AiContext, ask: () => Promise<T>): Promise<T> {
  const budget = budgetOf(context)
  const refusal = `The ${budget.monthly} runs of this month are used up.`
  const id = await reserveOfMonth(context.objects, budget, { amount: 1, refusal })
  const end = (kind: 'settle' | 'release') => endReservation(context.objects, kind, { id, route: 'ai' })
  try {
    const value = await rejectWhenLate(ask(), MODEL_RUN_MS_MAX, MODEL_TIMEOUT)
    await end('settle')
    return value
  } catch (error) {
    const failure = modelError(error)
    await end(error === MODEL_TIMEOUT ? 'settle' : 'release')
    if (failure.code === 'model_error') logError(failure, { route: 'ai' })
    throw failure
  }
}

const MODEL_TIMEOUT = new ApiError(
  'model_error',
  `The model did not respond within ${MODEL_RUN_MS_MAX / 1000} seconds.`,
)

function requireSize({ messages, tools, schema }: AiChat): void {
  if (!Array.isArray(messages) || messages.length < 1 || messages.length > MESSAGES_MAX)
    throw invalid('messages', `must be 1 to ${MESSAGES_MAX} messages`)
  requireChars('messages', JSON.stringify([messages, tools, schema]))
}

function requireChars(field: string, text: string): void {
  if (text.length > INPUT_CHARS_MAX)
    throw invalid(field, `must have at most ${INPUT_CHARS_MAX} characters together`)
}
