export const TOKEN_HEADER = 'x-guard-token'

/** The action names that Turnstile accepts. */
const ACTION_PATTERN = /^[\w-]{1,32}$/
const FIELD_PREFIX = 'guard.'

export const isAction = (text: string): boolean => ACTION_PATTERN.test(text)

/** Returns the Turnstile action of a path. Pages and the app's worker both use it, so that they agree. */
export const actionOfPath = (path: string): string =>
  path
    .replace(/^\/(?:_app\/)?/, '')
    .replaceAll(/[^\w-]/g, '_')
    .slice(-32)

/**
 * Returns the `field` of the error for a missing token. The field contains the action, so that the page can get a token for this action.
 */
export const fieldOf = (action: string): string => `${FIELD_PREFIX}${action}`

/** Returns the action from the `field` of an error; null when the error is not about a missing token. */
export function missingTokenAction(field: unknown): string | null {
  if (typeof field !== 'string' || !field.startsWith(FIELD_PREFIX)) return null
  const action = field.slice(FIELD_PREFIX.length)
  return isAction(action) ? action : null
}

/** Returns whether this is one of Turnstile's test keys, which need no script. */
export const isTestKey = (siteKey: string): boolean => /^[123]x0{8}/.test(siteKey)

/** A token for a test key. It contains the data that Turnstile would store for a real token. */
export function testToken(action: string, hostname: string): string {
  const content = JSON.stringify({ action, hostname, id: crypto.randomUUID(), at: Date.now() })
  const base64 = btoa(content).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return `XXXX.DUMMY.TOKEN.${base64}`
}
