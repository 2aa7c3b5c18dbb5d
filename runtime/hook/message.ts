/** Whether the handler of a message still has to do it, has done it, or was given up. */
export type MessageStatus = 'received' | 'handled' | 'failed'

/** What is known of a message; a collection keeps what it has fields for. */
export interface MessageFacts {
  endpoint?: string
  deliveryId?: string
  receivedAt?: string
  headers?: Record<string, string>
  body?: unknown
  status?: MessageStatus
  attempts?: number
  lastError?: string | null
}

/** What is worth keeping of the headers: what tells the kind of message, and never a signature or a credential. */
const KEPT =
  /^(?:content-type|user-agent|webhook-id|webhook-timestamp|service-event|x-[a-z0-9-]*(?:event|topic|delivery|type|domain|-id))$/
const HEADERS_MAX = 20
const VALUE_CHARS_MAX = 500

export const keptHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name, value]) => KEPT.test(name) && value.length <= VALUE_CHARS_MAX)
      .slice(0, HEADERS_MAX),
  )
