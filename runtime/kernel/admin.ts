import type { Tier } from './objects.ts'
import { ApiError, valueIn } from './errors.ts'
import type { Operator, OperatorAnswer } from '../workers/live/operator.ts'

/** The environment of the admin worker. */
export interface AdminEnv {
  LIVE: Omit<Operator, 'env' | 'ctx'>
  OPERATOR_KEY: string
  /** The name of this worker; tokens for another worker are refused. */
  AUDIENCE: string
  /** Identifies the runtime and bindings of this deployment; the service waits until it is served. */
  VERSION: string
}

/** The context of every route: the tier named in the token. */
export interface AdminContext {
  Bindings: AdminEnv
  Variables: { tier: Tier }
}

/** Returns the value of an object's answer, or throws its refusal. */
export async function opened<T>(answer: Promise<OperatorAnswer<T>>): Promise<T> {
  return valueIn(await answer)
}

/** Parses a number of the query, which the service has validated. */
export function limitOf(text: string | undefined): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1000) return limit
  throw new ApiError('invalid_request', 'limit: must be a whole number from 1 to 1000')
}
