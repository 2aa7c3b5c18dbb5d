export const TOKEN_HEADER = 'x-guard-token'

/** Turnstile accepts no other action. */
const ACTION = /^[\w-]{1,32}$/
const FIELD = 'guard.'

export const isAction = (text: string): boolean => ACTION.test(text)

/** Pages and the app's worker must derive the same action from a path. */
export const actionOfPath = (path: string): string =>
  path
    .replace(/^\/(?:_app\/)?/, '')
    .replaceAll(/[^\w-]/g, '_')
    .slice(-32)

/** The error names the action that a token is wanted for in its field, so that pages can get one. */
export const fieldOf = (action: string): string => `${FIELD}${action}`

/** Null for an error that does not ask for a token. */
export function actionIn(field: unknown): string | null {
  if (typeof field !== 'string' || !field.startsWith(FIELD)) return null
  const action = field.slice(FIELD.length)
  return isAction(action) ? action : null
}

/** For a test key no script is loaded. */
export const isTestKey = (siteKey: string): boolean => /^[123]x0{8}/.test(siteKey)

/** The token contains what the provider would know of a real one. */
export function testToken(action: string, hostname: string): string {
  const content = JSON.stringify({ action, hostname, id: crypto.randomUUID(), at: Date.now() })
  const base64 = btoa(content).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return `XXXX.DUMMY.TOKEN.${base64}`
}
