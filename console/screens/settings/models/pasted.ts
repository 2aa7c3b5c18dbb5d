/** What a pasted text is: an address to look up, or a key. */
export type PastedConnection = { key: string } | { baseUrl: string }

const ASSIGNMENT_PATTERN = /^(?:export\s+)?[A-Z][A-Z0-9_]*\s*=\s*/
const QUOTED_TEXT = /^(["'])(.*)\1$/
const HOST_AND_PORT = /^(?:[\w.-]+|\[[\da-f:]+\]):\d{2,5}(?:\/|$)/i

/**
 * Classifies a pasted text as an address or a key. Of a line of an `.env` file (`NAME=value`), takes only the value. An address may lack
 * the scheme, such as `localhost:11434`.
 */
export function readPasted(text: string): PastedConnection {
  const bare = text
    .trim()
    .replace(ASSIGNMENT_PATTERN, '')
    .replace(QUOTED_TEXT, '$2')
    .replace(/^Bearer\s+/i, '')
    .trim()
  if (/^https?:\/\//i.test(bare)) return { baseUrl: bare }
  return HOST_AND_PORT.test(bare) ? { baseUrl: `http://${bare}` } : { key: bare }
}

/** Whether the text may be visible while it is typed. Only an address, or the beginning of an address, may be. A key must be hidden. */
export const isShowable = (text: string): boolean =>
  'baseUrl' in readPasted(text) ||
  ['http://', 'https://', 'localhost:'].some((start) => start.startsWith(text.trim()))
