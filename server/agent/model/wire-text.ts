/** The deepest accepted nesting of a call's arguments. The validation, storing and display of arguments are recursive. */
const DEPTH_MAX = 32
const CALL_ID = /^[\x20-\x7e]{1,200}$/
const TOOL_NAME_CHARS_MAX = 64

/** Returns text that can be stored and sent: without NUL, which Postgres refuses, and without lone surrogates. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/**
 * Replaces lone surrogates in every string of a message. A cut string may end with a lone surrogate, for which
 * providers refuse the whole request.
 */
export function toWellFormedTexts<T>(value: T): T
export function toWellFormedTexts(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map((item: unknown) => toWellFormedTexts(item))
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toWellFormedTexts(item)]))
}

/** Cleans a text that arrives in pieces. A lone surrogate at the end of a piece is kept for the next piece. */
export class TextPieces {
  #firstSurrogate = ''

  /** Returns the text that is complete with this piece, which may be empty. */
  take(piece: string): string {
    const text = this.#firstSurrogate + piece
    this.#firstSurrogate = /[\ud800-\udbff]$/.exec(text)?.[0] ?? ''
    return cleanText(this.#firstSurrogate === '' ? text : text.slice(0, -1))
  }
}

/** Returns the id of a call, or '' for an id that no provider would accept. The transcript then gives the call another id. */
export const usableId = (id: string): string => (CALL_ID.test(id) ? id : '')

/** Cuts the name of a tool. All tools of the agents have shorter names, so a cut name matches no tool. */
export const usableName = (name: string): string => cleanText(name).slice(0, TOOL_NAME_CHARS_MAX)

/**
 * Returns the arguments of a call in a storable form, and what is wrong with them. NUL is refused and not dropped, because a path without
 * its NUL would name another file.
 */
export function cleanArguments(args: unknown): { args: unknown; problem: string | null } {
  let problem: string | null = null
  const clean = (value: unknown, path: string[]): unknown => {
    if (typeof value === 'string') return cleanString(value, path)
    if (value === null || typeof value !== 'object') return value
    if (path.length >= DEPTH_MAX) {
      problem ??= `${path[0]}: is nested more than ${DEPTH_MAX} levels deep`
      return null
    }
    if (Array.isArray(value)) return value.map((item, i) => clean(item, [...path, String(i)]))
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [cleanString(name, path), clean(item, [...path, name])]),
    )
  }
  const cleanString = (text: string, path: string[]): string => {
    if (text.includes('\0')) problem ??= `${cleanText(path[0] ?? 'arguments')}: must not contain NUL (U+0000)`
    return cleanText(text)
  }
  return { args: clean(args, []), problem }
}
