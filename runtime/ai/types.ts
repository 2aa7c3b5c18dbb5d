import type { JsonSchema } from './schema.ts'
import type { ResultMethod } from '../kernel/objects/calls.ts'

declare module '../kernel/objects/calls.ts' {
  interface LiveBindings {
    ai: AiBinding
  }
}

declare module '../kernel/manifest.ts' {
  interface Manifest {
    ai?: AiTaskSpec[] | undefined
  }
}

/** A task as declared in `app.json`. Pages can run only declared tasks, not their own prompts. */
export interface AiTaskSpec {
  task: string
  system: string
  access?: 'nobody' | 'public' | 'members' | 'staff' | undefined
  /** The JSON schema of the answer. Without a schema the answer is text. */
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

/** Token counts as the provider reports them; 0 for a missing count. */
export interface AiUsage {
  inputTokens: number
  outputTokens: number
}

export interface AiChat {
  messages: AiMessage[]
  tools?: AiToolSpec[] | undefined
  /** The reply must be JSON that matches this schema. */
  schema?: JsonSchema | undefined
}

export interface AiReply {
  text: string
  toolCalls: AiToolCall[]
  usage: AiUsage
}

export interface AiSpend {
  /** The month as `YYYY-MM` in UTC. */
  month: string
  used: number
}

/**
 * RPC calls from the worker of an app to its live worker, which calls the models. Each call counts as one run of the budget. Workers of
 * older releases still use these names, so add calls, but never change one.
 */
export interface AiCalls {
  run: { ask: AiChat; answer: AiReply }
  /** Returns the provider's stream unchanged. */
  stream: { ask: AiChat; answer: ReadableStream<Uint8Array> }
  embed: { ask: { texts: string[] }; answer: number[][] }
}

export interface AiBinding {
  ai: ResultMethod<AiCalls>
}
