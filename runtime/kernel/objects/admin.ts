import type { FileBucket } from '../../bytes/bucket.ts'
import type { Tier } from './objects.ts'
import { ApiError } from '../errors.ts'
import { requireWholeNumber } from '../fields.ts'

/**
 * The RPC methods of the live worker for the admin worker, through which the operator manages the app. Each capability and
 * `workers/live/operator.ts` add their own methods.
 */
export interface OperatorBinding {
  /**
   * Marks the token of an admin request as used, so that the request cannot be repeated. Returns false for a token that was used before.
   */
  spend(tier: Tier, jti: string, expiresAt: number): Promise<boolean>
}

export interface AdminEnv {
  LIVE: OperatorBinding
  OPERATOR_KEY: string
  /** The name of this worker. Tokens for another worker are rejected. */
  AUDIENCE: string
  /**
   * Identifies the code and bindings of this deployment. After deploying the worker, Slipway repeats a
   * request until this version responds.
   */
  VERSION: string
}

/** The tier (production or preview) comes from the signed token of the request. */
export interface AdminContext {
  Bindings: AdminEnv
  Variables: { tier: Tier }
}

/** Parses the query parameter `limit`. Slipway sends only numbers from 1 to 1000, so any other value is a bug. */
export function limitOf(text: string | undefined): number {
  return requireWholeNumber('limit', Number(text), 1000)
}

/**
 * Returns the bucket of a capability in a tier. The service binds it under the capability's key in upper case. Throws `not_enabled`
 * when this worker is not bound to it.
 */
export function bucketOf(env: AdminEnv, capability: string, tier: Tier): FileBucket {
  const bucket = findBucket(env, capability, tier)
  if (bucket === undefined) throw new ApiError('not_enabled', `The capability ${capability} is off.`)
  return bucket
}

export function findBucket(env: AdminEnv, capability: string, tier: Tier): FileBucket | undefined {
  const name = capability.toUpperCase()
  return Reflect.get(env, tier === 'preview' ? `${name}_PREVIEW` : name) as FileBucket | undefined
}
