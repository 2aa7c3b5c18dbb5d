import type { JsonSchema } from './schema.ts'
import type { ResultMethod } from '../kernel/calls.ts'

/** A task as `app.json` declares it: browsers run these and nothing else. */
export interface AiTaskSpec {
  task: string
  system: string
  access?: 'nobody' | 'public' | 'members' | 'staff' | undefined
  /** What the answer must fit; without it the answer is text. */
  schema?: JsonSchema | undefined
}

/** A call of one of the app's functions that the model asks for. */
export interface AiToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

/** A message in the format that every model provider takes. */
export type AiMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; tool_calls?: AiToolCall[] }
  | { role: 'tool'; tool_call_id: string; name: string; content: string }

/** A function that the model may call, as it is described to the model. */
export interface AiToolSpec {
  type: 'function'
  function: { name: string; description: string; parameters: JsonSchema }
}

/** Tokens that the provider has counted; 0 where it counts none. */
export interface AiUsage {
  inputTokens: number
  outputTokens: number
}

/** What is sent to the model. */
export interface AiChat {
  messages: AiMessage[]
  tools?: AiToolSpec[] | undefined
  /** The answer must be JSON that fits it. */
  schema?: JsonSchema | undefined
}

export interface AiReply {
  text: string
  toolCalls: AiToolCall[]
  usage: AiUsage
}

/** What is used of the budget of a month. */
export interface AiSpend {
  /** `YYYY-MM` in UTC. */
  month: string
  used: number
}

/** Calls of the app's worker about models. Each is one run of the budget. Calls are added, never changed. */
export interface AiCalls {
  run: { ask: AiChat; answer: AiReply }
  /** The answer as the provider streams it. */
  stream: { ask: AiChat; answer: ReadableStream<Uint8Array> }
  embed: { ask: { texts: string[] }; answer: number[][] }
}

/** What the app's worker may call of the models. */
export interface AiBinding {
  ai: ResultMethod<AiCalls>
}
