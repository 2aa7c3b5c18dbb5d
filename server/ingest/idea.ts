import { createHash } from 'node:crypto'

export interface Idea {
  /** The sender's id, which identifies repeats. */
  externalId: string | null
  title: string
  body: string
  url: string | null
}

/** Longest title made from a text (docs/limits.md#ingest). */
const DERIVED_TITLE_MAX = 60
/** Longest title of a ticket, and longest link stored in its own field. */
const TITLE_MAX = 200
const LINK_MAX = 2048
/** Longer ids are stored as their hash, because an index row is limited. */
const ID_MAX = 200

/**
 * Parses a verified body; returns null when it holds neither title nor text. Values that are not strings
 * count as absent. Nothing is refused: the sender cannot react, so a usable half is better than an error.
 */
export function readIdea(bytes: Uint8Array): Idea | null {
  const fields = parseObject(bytes)
  const [title, text, url] = [textOf(fields['title']), textOf(fields['text']), textOf(fields['url'])]
  if (title === null && text === null) return null
  const whole = oneLine(title ?? text ?? '')
  const fits = whole.length <= TITLE_MAX || title === null
  // A title that had to be cut is repeated in full above the text.
  const body = text === null ? title : fits ? text : `${title}\n\n${text}`
  const link = url === null ? null : webAddress(url)
  return {
    externalId: externalIdOf(fields['id']),
    title: cut(whole, title === null ? DERIVED_TITLE_MAX : TITLE_MAX),
    body: url === null ? (body ?? '') : `${body}\n\nSource: ${link === null ? asCode(url) : `<${link}>`}`,
    url: link,
  }
}

function parseObject(bytes: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Replaces NUL and lone surrogates, which Postgres cannot store; blank counts as absent. */
function textOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null
  return value.toWellFormed().replaceAll('\0', '\u{fffd}')
}

function externalIdOf(value: unknown): string | null {
  const id = textOf(value)
  if (id === null || id.length <= ID_MAX) return id
  return `sha256:${createHash('sha256').update(id).digest('hex')}`
}

const oneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

/** Returns at most `max` characters, and never half of one. */
function cut(text: string, max: number): string {
  const head = text.slice(0, max)
  return head.isWellFormed() ? head : head.slice(0, -1)
}

/** Returns the address when it is safe to link; browsers would run or open other schemes. */
function webAddress(text: string): string | null {
  const url = URL.parse(text.trim())
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  // As sent where that is safe inside <...>.
  const address = /^[^\s<>\\]+$/.test(text.trim()) ? text.trim() : url.href
  return address.length <= LINK_MAX ? address : null
}

/** A backtick would end the code, so it becomes an apostrophe. */
const asCode = (text: string): string => `\`${oneLine(text).replaceAll('`', "'")}\``
