import { callPush } from './rpc-client.ts'
import type { PushMessage, PushReport, PushTarget } from './types.ts'

/** Notifications on the devices of people, from server code. */
export interface ServerPush {
  /**
   * Sends a notification to every device of a person, of up to 100 people, or of the members of a team. Stored before it is sent,
   * and retried three times while a push service is busy or down.
   */
  send(to: PushTarget, message: PushMessage): Promise<PushReport>
}

export const push: ServerPush = { send: (to, message) => callPush('send', { to, message }) }
