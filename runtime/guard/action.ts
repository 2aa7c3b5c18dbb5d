/** The header that carries a token. */
export const TOKEN_HEADER = 'x-guard-token'

/** What Turnstile takes as an action. */
const ACTION = /^[\w-]{1,32}$/
const FIELD = 'guard.'

export const isAction = (text: string): boolean => ACTION.test(text)

/** The action of a protected path: pages and the app's worker derive the same one. */
export const actionOfPath = (path: string): string =>
  path
    .replace(/^\/(?:_app\/)?/, '')
    .replaceAll(/[^\w-]/g, '_')
    .slice(-32)

/** The field of a refusal names the action that a token is wanted for, so that pages can get one. */
export const fieldOf = (action: string): string => `${FIELD}${action}`

/** Returns the action that a refusal wants a token for; null for any other refusal. */
export function actionIn(field: unknown): string | null {
  if (typeof field !== 'string' || !field.startsWith(FIELD)) return null
  const action = field.slice(FIELD.length)
  return isAction(action) ? action : null
}

/** Whether a site key has the form of the published test keys, for which no script is loaded. */
export const isTestKey = (siteKey: string): boolean => /^[123]x0{8}/.test(siteKey)

/** Returns a token as a page with a test key makes it: what the provider knows of a real one is written into it. */
export function testToken(action: string, hostname: string): string {
  const content = JSON.stringify({ action, hostname, id: crypto.randomUUID(), at: Date.now() })
  const base64 = btoa(content).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return `XXXX.DUMMY.TOKEN.${base64}`
}
