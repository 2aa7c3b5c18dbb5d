import type { Caller } from './caller.ts'
import { refuseCrossSite } from './cross-site.ts'
import type { Endpoint } from './endpoint.ts'
import { ApiError } from './errors.ts'

interface Attempt {
  endpoint: Pick<Endpoint, 'scope' | 'role'>
  caller: Caller
  request: Request
  baseUrl: string
}

/** A reason to refuse, or nothing. */
type Check = (attempt: Attempt) => void

/** The order is the contract: a caller refused for several reasons hears the first. */
const CHECKS: readonly Check[] = [fromOwnPages, sessionOnly, scopeHeld, adminOnly]

/** Whether this caller may use this endpoint in this way; throws the refusal. */
export function authorize(
  endpoint: Attempt['endpoint'],
  caller: Caller,
  request: Request,
  config: { baseUrl: string },
): void {
  for (const check of CHECKS) check({ endpoint, caller, request, baseUrl: config.baseUrl })
}

function fromOwnPages({ caller, request, baseUrl }: Attempt): void {
  if (caller.kind === 'session') refuseCrossSite(request, baseUrl)
}

function sessionOnly({ endpoint, caller }: Attempt): void {
  if (endpoint.scope !== 'session' || caller.kind === 'session') return
  throw new ApiError('forbidden', 'This route takes a signed-in session, not an API key.')
}

function scopeHeld({ endpoint: { scope }, caller }: Attempt): void {
  if (scope === 'any' || scope === 'session' || scope === 'public' || caller.scopes.has(scope)) return
  throw new ApiError('forbidden_scope', `The API key lacks the scope ${scope}: use one that was given it.`)
}

function adminOnly({ endpoint, caller }: Attempt): void {
  if (endpoint.role !== 'admin' || caller.role === 'owner' || caller.role === 'admin') return
  throw new ApiError('forbidden', 'Only owners and admins of the organization may do this.')
}
