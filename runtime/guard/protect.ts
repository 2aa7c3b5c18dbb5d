import { getPath } from 'hono/utils/url'
import { isEnabled } from '../kernel/worker/env.ts'
import { hasSafeMethod } from '../kernel/access/guard.ts'
import { actionOfPath, TOKEN_HEADER } from './action.ts'
import { callGuard, guardSettings } from './rpc-client.ts'

const PROTECTED_PATHS: Readonly<Record<string, readonly string[]>> = {
  'auth.signUp': ['/_app/auth/sign-up', '/_app/auth/sign-up/code', '/_app/auth/code'],
  'auth.signIn': ['/_app/auth/sign-in', '/_app/auth/code', '/_app/auth/passkey/verify'],
  'auth.reset': ['/_app/auth/reset'],
  events: ['/_app/events'],
}

/** A protected path includes all paths below it. */
const isProtected = (protect: readonly string[], pathname: string): boolean =>
  protect.some(
    (one) =>
      (PROTECTED_PATHS[one] ?? []).includes(pathname) ||
      (one.startsWith('/') && `${pathname}/`.startsWith(one.endsWith('/') ? one : `${one}/`)),
  )

/**
 * Throws for a write to a protected path without a valid token. Reads return at once, without a call to the
 * live worker.
 */
export async function requireGuard(request: Request): Promise<void> {
  if (hasSafeMethod(request) || !isEnabled('guard')) return
  const { protect } = await guardSettings()
  // Use the router's path: an encoded letter in the address leads to the same route.
  const path = getPath(request)
  if (isProtected(protect, path)) await verifyRequest(request, actionOfPath(path))
}

/** Throws `forbidden` without a valid token for this action, and `unavailable` when Turnstile does not respond. */
export async function verifyRequest(request: Request, action: string): Promise<void> {
  const { hostname } = new URL(request.url)
  await callGuard('verify', { token: request.headers.get(TOKEN_HEADER), action, hostname })
}
