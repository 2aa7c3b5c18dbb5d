import { callHook } from './rpc-client.ts'

export type { HookEvent } from './types.ts'

export interface ServerHook {
  /** Runs a message's handler again. `id` is the id of the message's record. */
  replay(id: string): Promise<{ id: string }>
  /**
   * Sends a signed message (Standard Webhooks) to a public https address. The message is stored when this resolves, and retried up to
   * five times until the receiver responds with 2xx.
   */
  send(url: string, type: string, data: unknown): Promise<{ id: string }>
}

export const hook: ServerHook = {
  replay: (id) => callHook('replay', { id }),
  send: (url, type, data) => callHook('send', { url, type, data }),
}
