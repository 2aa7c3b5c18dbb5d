import { invalid } from '../kernel/errors.ts'
import { fieldsOf, isWholeNumber, utf8Length } from '../kernel/fields.ts'
import type { OutgoingPush, PushMessage } from './types.ts'
import { DAY_SECONDS } from '../kernel/durations.ts'

const PAYLOAD_BYTES_MAX = 3000
/** The longest time that push services store a message. */
const TTL_SECONDS_MAX = 28 * DAY_SECONDS
const MESSAGE_URGENCIES: unknown[] = ['very-low', 'low', 'normal', 'high'] satisfies PushMessage['urgency'][]
const PLACEHOLDER_ORIGIN = 'https://app.invalid'

/** Validates a notification and returns it in the form that is stored. Throws an error that names the invalid field. */
export function validateNotification(given: unknown, icon: string | null, nowMs: number): OutgoingPush {
  const { title, body, url, tag, ttlSeconds = DAY_SECONDS, urgency = 'normal' } = fieldsOf(given)
  if (typeof title !== 'string' || title.trim() === '') throw invalid('title', 'must be a text')
  if (typeof body !== 'string') throw invalid('body', 'must be a text')
  if (typeof url !== 'string' || !url.startsWith('/') || !isOwnPath(url))
    throw invalid('url', 'must be a path of the app')
  if (tag !== undefined && typeof tag !== 'string') throw invalid('tag', 'must be a text')
  if (!isWholeNumber(ttlSeconds, 0, TTL_SECONDS_MAX))
    throw invalid('ttlSeconds', `must be a whole number from 0 to ${TTL_SECONDS_MAX}`)
  if (!MESSAGE_URGENCIES.includes(urgency))
    throw invalid('urgency', `must be one of ${MESSAGE_URGENCIES.join(', ')}`)
  const payload = JSON.stringify({ title, body, url, tag, ...(icon !== null && { icon }) })
  if (utf8Length(payload) > PAYLOAD_BYTES_MAX)
    throw invalid('body', `is too long: a notification has at most ${PAYLOAD_BYTES_MAX} bytes`)
  return { payload, endsAt: nowMs + ttlSeconds * 1000, urgency: String(urgency) }
}

const isOwnPath = (url: string): boolean =>
  URL.canParse(url, PLACEHOLDER_ORIGIN) && new URL(url, PLACEHOLDER_ORIGIN).origin === PLACEHOLDER_ORIGIN
