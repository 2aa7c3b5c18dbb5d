import { createHash } from 'node:crypto'
import { truncate } from '../lib/subject.ts'
import { fieldsOf } from '@slipway/runtime/kernel/fields.ts'

export interface Idea {
  /** The id that the sender gave the idea, by which repeated posts are recognized. */
  externalId: string | null
  title: string
  body: string
  url: string | null
}

/** The longest title that is made from a text (docs/limits.md#ingest). */
const DERIVED_TITLE_MAX = 60
/** The longest title of a ticket, and the longest link that is stored in its own field. */
const TITLE_MAX = 200
const LINK_MAX = 2048
/** A longer id is stored as its hash, because the size of an index row is limited. */
const ID_MAX = 200

/**
 * Parses the body of a post whose signature was valid. Returns null when it has neither title nor text. A field
 * that is not a string counts as missing. Never throws: a sender is a program that could not correct its post, so
 * storing only the usable fields is better than refusing the post.
 */
export function readIdea(bytes: Uint8Array): Idea | null {
  const fields = parseObject(bytes)
  const [title, text, url] = [
    nonEmptyText(fields['title']),
    nonEmptyText(fields['text']),
    nonEmptyText(fields['url']),
  ]
  if (title === null && text === null) return null
  const whole = oneLine(title ?? text ?? '')
  const fits = whole.length <= TITLE_MAX || title === null
  // A title that was cut is repeated in full above the text.
  const body = text === null ? title : fits ? text : `${title}\n\n${text}`
  const link = url === null ? null : webAddress(url)
  return {
    externalId: externalIdOf(fields['id']),
    title: truncate(whole, title === null ? DERIVED_TITLE_MAX : TITLE_MAX),
    body: url === null ? (body ?? '') : `${body}\n\nSource: ${link === null ? inlineCode(url) : `<${link}>`}`,
    url: link,
  }
}

function parseObject(bytes: Uint8Array): Record<string, unknown> {
  try {
    return fieldsOf(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return {}
  }
}

/** Returns the text without NUL and lone surrogates, which Postgres cannot store. Returns null for a blank text. */
function nonEmptyText(value: unknown): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null
  return value.toWellFormed().replaceAll('\0', '\u{fffd}')
}

function externalIdOf(value: unknown): string | null {
  const id = nonEmptyText(value)
  if (id === null || id.length <= ID_MAX) return id
  return `sha256:${createHash('sha256').update(id).digest('hex')}`
}

const oneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

/** Returns the address when it is http or https. Links with other schemes could run code or open programs. */
function webAddress(text: string): string | null {
  const url = URL.parse(text.trim())
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  // Keeps the sender's spelling of the address unless it contains characters that would end the Markdown link
  // `<...>`.
  const address = /^[^\s<>\\]+$/.test(text.trim()) ? text.trim() : url.href
  return address.length <= LINK_MAX ? address : null
}

/** A backtick would end the Markdown code, so it becomes an apostrophe. */
const inlineCode = (text: string): string => `\`${oneLine(text).replaceAll('`', "'")}\``
