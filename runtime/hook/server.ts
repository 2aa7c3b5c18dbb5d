import { callHook } from './rpc-client.ts'

export interface ServerHook {
  /** Runs the handler of a message again, by the id of its record. */
  replay(id: string): Promise<{ id: string }>
  /**
   * Sends a signed message (Standard Webhooks) to a public https address. Stored when this resolves, and retried five times until
   * the other side responds with 2xx.
   */
  send(url: string, type: string, data: unknown): Promise<{ id: string }>
}

export const hook: ServerHook = {
  replay: (id) => callHook('replay', { id }),
  send: (url, type, data) => callHook('send', { url, type, data }),
}
