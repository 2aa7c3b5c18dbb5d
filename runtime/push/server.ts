import { callPush } from './rpc-client.ts'
import type { PushMessage, PushReport, PushTarget } from './types.ts'

export type { PushMessage, PushReport, PushTarget } from './types.ts'

/** Sends notifications to people's devices from server code. */
export interface ServerPush {
  /**
   * Sends a notification to every device of a person, of up to 100 people, or of the members of a team. Each notification is stored before
   * it is sent, and retried three times while a push service is busy or down. Throws only when none of the people was reached.
   */
  send(to: PushTarget, message: PushMessage): Promise<PushReport>
}

export const push: ServerPush = { send: (to, message) => callPush('send', { to, message }) }
