import { similarRecords } from '../data/rpc-client.ts'
import type { CollectionName, RecordOf } from '../data/types.ts'
import type { Caller } from '../kernel/access/actor.ts'
import { ApiError, invalid } from '../kernel/errors.ts'
import { fieldsOf } from '../kernel/fields.ts'
import { logError } from '../kernel/objects/log.ts'
import { requireLive } from '../kernel/worker/env.ts'
import { callerOf } from '../kernel/access/session.ts'
import { callAi } from './rpc-client.ts'
import { type FromSchema, type JsonSchema, readAnswer, schemaProblem } from './schema.ts'
import { decodeTextEvents } from './stream.ts'
import type { AiMessage, AiToolCall, AiToolSpec, AiUsage } from './types.ts'

export type { FromSchema, JsonSchema } from './schema.ts'
export type { AiUsage } from './types.ts'

/** How many rounds of tool calls a model may make before it must answer. Each round counts as a run of the budget. */
const TOOL_ROUNDS_MAX = 5
const TOOL_CHARS_MAX = 20_000

/** A prompt for a model: a string, or a conversation. */
export type AiPrompt =
  | string
  | { prompt: string; system?: string }
  | { messages: { role: 'user' | 'assistant'; content: string }[]; system?: string }

export interface AiTool {
  description: string
  /**
   * The JSON schema of the tool's input: `{ type: 'object', properties: ... }`. Input that does not match the schema never reaches `run`.
   */
  input: JsonSchema
  run(input: Record<string, unknown>): unknown
}

/** AI models for server code. Every call counts as a run of the month's budget. Calls throw `rate_limited` once the budget is used up. */
export interface ServerAi {
  /** Returns the model's answer. The model may call `tools` in up to five rounds, and each round counts as a run. */
  run(
    prompt: AiPrompt,
    options?: { tools?: Record<string, AiTool> },
  ): Promise<{ text: string; usage: AiUsage }>
  /**
   * Returns the answer as a stream of UTF-8 bytes while the model writes it. An HTTP response with this stream as its body needs
   * `content-encoding: identity`.
   */
  stream(prompt: AiPrompt): Promise<ReadableStream<Uint8Array>>
  /** Returns a value that matches the JSON schema. If the answer does not match, asks the model again, which counts as a second run. */
  object<const S extends JsonSchema>(schema: S, prompt: AiPrompt): Promise<FromSchema<S>>
  /** Returns one vector for each of up to 100 texts. Texts with similar meanings have close vectors. */
  embed(texts: string[]): Promise<number[][]>
  /** Searches all records without access rules, for routes that check access themselves. */
  similar: FindSimilar
  /** Searches with the access rights of a request's sender (`c.req.raw`). */
  as(request: Request): { similar: FindSimilar }
}

/**
 * Returns the records whose fields marked `similar` are closest in meaning to a given record or text: closest first, at most `limit`
 * (default 10), with a score of at most 1. A search by text counts as one run of the budget. A new record is found a few seconds after it
 * was written.
 */
type FindSimilar = <C extends CollectionName>(
  collection: C,
  to: { id: string } | { text: string },
  options?: { limit?: number; partition?: string },
) => Promise<{ record: RecordOf<C>; score: number }[]>

const similarRecordsFor =
  (caller: Caller): FindSimilar =>
  async (collection, to, { limit = 10, partition } = {}) => {
    requireLive('ai')
    const { id, text } = fieldsOf(to)
    if ((id ?? text) === undefined) throw invalid('to', 'must have an id or a text')
    const findSimilar = (place: { id: string } | { vector: number[] }) =>
      similarRecords(caller, { collection, to: place, limit }, partition)
    // Computing the vector of the text uses up a run. So first search with an empty vector, which throws when the search is not allowed.
    if ('text' in to) await findSimilar({ vector: [] })
    const found: unknown = await findSimilar(
      'id' in to ? to : { vector: (await ai.embed([to.text]))[0] ?? [] },
    )
    // Records are untyped up to here. This cast gives them the types generated from `app.json`.
    return found as never
  }

export const ai: ServerAi = {
  async run(prompt, { tools = {} } = {}) {
    const specs = specsOf(tools)
    const messages = messagesOf(prompt)
    const usage = { inputTokens: 0, outputTokens: 0 }
    for (let round = 0; ; round++) {
      // Without tools the first round is the last one: some providers reject an empty list of tools.
      const isLast = specs.length === 0 || round === TOOL_ROUNDS_MAX
      const reply = await callAi('run', { messages, ...(!isLast && { tools: specs }) })
      usage.inputTokens += reply.usage.inputTokens
      usage.outputTokens += reply.usage.outputTokens
      if (isLast || reply.toolCalls.length === 0) return { text: reply.text, usage }
      messages.push({ role: 'assistant', content: reply.text, tool_calls: reply.toolCalls })
      for (const call of reply.toolCalls)
        messages.push({
          role: 'tool',
          tool_call_id: call.id,
          name: call.function.name,
          content: await runTool(tools, call),
        })
    }
  },
  stream: async (prompt) => decodeTextEvents(await callAi('stream', { messages: messagesOf(prompt) })),
  async object<const S extends JsonSchema>(schema: S, prompt: AiPrompt) {
    const messages = messagesOf(
      prompt,
      `Answer only with JSON that fits this schema: ${JSON.stringify(schema)}`,
    )
    for (let attempt = 0; ; attempt++) {
      const { text } = await callAi('run', { messages, schema })
      const value = readAnswer(text)
      const problem = value === undefined ? 'answer is not JSON' : schemaProblem(schema, value)
      if (problem === null) return value as FromSchema<S>
      if (attempt > 0) throw new ApiError('model_error', `The model's answer is invalid: ${problem}.`)
      messages.push(
        { role: 'assistant', content: text },
        { role: 'user', content: `That does not fit: ${problem}. Answer with the corrected JSON only.` },
      )
    }
  },
  embed: (texts) => callAi('embed', { texts }),
  similar: similarRecordsFor('system'),
  as: (request) => ({ similar: similarRecordsFor(callerOf(request)) }),
}

/** Joins all system messages into one, because some models accept only one system message. */
function messagesOf(prompt: AiPrompt, instruction?: string): AiMessage[] {
  // TypeScript does not ensure the type of `prompt`: the app may pass on an unchecked value of a request.
  const { system: own, prompt: text, messages } = fieldsOf(typeof prompt === 'string' ? { prompt } : prompt)
  const asked = typeof text === 'string' ? [{ role: 'user', content: text }] : messages
  if (!isConversation(asked)) throw invalid('prompt', 'must be a text')
  const system = [own, instruction].filter((part) => part !== undefined).join('\n\n')
  return [...(system === '' ? [] : [{ role: 'system' as const, content: system }]), ...asked]
}

const isConversation = (value: unknown): value is AiMessage[] => Array.isArray(value)

const specsOf = (tools: Record<string, AiTool>): AiToolSpec[] =>
  Object.entries(tools).map(([name, { description, input }]) => ({
    type: 'function',
    function: { name, description, parameters: input },
  }))

/**
 * Returns the result of a tool call as text for the model. An `ApiError` is passed to the model, so that it can try something else. Any
 * other error is logged.
 */
async function runTool(tools: Record<string, AiTool>, { function: called }: AiToolCall): Promise<string> {
  const tool = Object.hasOwn(tools, called.name) ? tools[called.name] : undefined
  const input = readAnswer(called.arguments || '{}')
  const problem =
    tool === undefined
      ? 'there is no such function'
      : schemaProblem({ type: 'object', ...tool.input }, input, 'input')
  if (tool === undefined || problem !== null) return JSON.stringify({ error: problem })
  try {
    const result = await tool.run(input as Record<string, unknown>)
    // The cut may leave half of an emoji, which some providers reject.
    return (JSON.stringify(result) ?? 'null').slice(0, TOOL_CHARS_MAX).toWellFormed()
  } catch (error) {
    if (!(error instanceof ApiError)) logError(error, { route: `ai.run ${called.name}` })
    return JSON.stringify({ error: error instanceof ApiError ? error.message : 'it failed' })
  }
}
