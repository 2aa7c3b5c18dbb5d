import type { JsonSchema } from './schema.ts'
import type { ResultMethod } from '../kernel/calls.ts'

/** Browsers run the tasks that `app.json` declares and no others. */
export interface AiTaskSpec {
  task: string
  system: string
  access?: 'nobody' | 'public' | 'members' | 'staff' | undefined
  /** What the answer must fit; without it the answer is text. */
  schema?: JsonSchema | undefined
}

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

export interface AiToolSpec {
  type: 'function'
  function: { name: string; description: string; parameters: JsonSchema }
}

/** Tokens that the provider has counted; 0 where it counts none. */
export interface AiUsage {
  inputTokens: number
  outputTokens: number
}

export interface AiChat {
  messages: AiMessage[]
  tools?: AiToolSpec[] | undefined
  /** The reply must be JSON that fits it. */
  schema?: JsonSchema | undefined
}

export interface AiReply {
  text: string
  toolCalls: AiToolCall[]
  usage: AiUsage
}

export interface AiSpend {
  /** `YYYY-MM` in UTC. */
  month: string
  used: number
}

/** Calls of the app's worker about models. Each is one run of the budget. Calls are added, never changed. */
export interface AiCalls {
  run: { ask: AiChat; answer: AiReply }
  /** The provider's own stream, unchanged. */
  stream: { ask: AiChat; answer: ReadableStream<Uint8Array> }
  embed: { ask: { texts: string[] }; answer: number[][] }
}

export interface AiBinding {
  ai: ResultMethod<AiCalls>
}
