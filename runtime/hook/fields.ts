import type { CollectionSpec, FieldSpec } from '../kernel/manifest.ts'

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

/** Returns the fields of a record for these facts: those that the collection declares, in the form it declares them. */
export function fieldsFor({ fields }: CollectionSpec, facts: object): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(facts)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const fitting = field === undefined ? undefined : fitTo(field, value)
    if (fitting !== undefined) kept[name] = fitting
  }
  return kept
}

/** Undefined for a value that such a field cannot hold. */
function fitTo(field: FieldSpec, value: unknown): unknown {
  if (value === null) return field.required === true ? undefined : null
  switch (field.type) {
    case 'json':
      return value
    case 'text':
      return typeof value === 'string' ? value : JSON.stringify(value)
    case 'enum':
      return field.values?.includes(value as string) === true ? value : undefined
    case 'number':
    case 'integer':
      return typeof value === 'number' ? value : undefined
    case 'date':
      return typeof value === 'string' ? value.slice(0, 10) : undefined
    case 'list':
      return Array.isArray(value) && value.every((entry) => typeof entry === 'string') ? value : undefined
    default:
      return undefined
  }
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
