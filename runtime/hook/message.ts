/** `received`: the handler has not succeeded yet. `failed`: the handler is no longer retried. */
export type MessageStatus = 'received' | 'handled' | 'failed'

/** Facts about a message. A collection stores the facts that it declares as fields. */
export interface MessageDetails {
  endpoint?: string
  deliveryId?: string
  receivedAt?: string
  headers?: Record<string, string>
  body?: unknown
  status?: MessageStatus
  attempts?: number
  lastError?: string | null
}

/** The stored headers. They describe the kind of message and never contain a signature or a credential. */
const STORED_HEADERS =
  /^(?:content-type|user-agent|webhook-id|webhook-timestamp|service-event|x-[a-z0-9-]*(?:event|topic|delivery|type|domain|-id))$/
const HEADERS_MAX = 20
const VALUE_CHARS_MAX = 500

export const storableHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name, value]) => STORED_HEADERS.test(name) && value.length <= VALUE_CHARS_MAX)
      .slice(0, HEADERS_MAX),
  )
