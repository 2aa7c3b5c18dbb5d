import { callHook } from './rpc-client.ts'

/** Messages of other services and to them, from server code. */
export interface ServerHook {
  /** Runs the handler of a message again, by the id of its record. */
  replay(id: string): Promise<{ id: string }>
  /**
   * Sends a signed message (Standard Webhooks) to a public https address. Stored when this resolves; repeated five times
   * until the other side answers 2xx.
   */
  send(url: string, type: string, data: unknown): Promise<{ id: string }>
}

export const hook: ServerHook = {
  replay: (id) => callHook('replay', { id }),
  send: (url, type, data) => callHook('send', { url, type, data }),
}
