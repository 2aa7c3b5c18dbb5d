import type { Tier } from './objects.ts'
import { ApiError, fromFailure } from './errors.ts'
import type { Operator, OperatorAnswer } from '../workers/live/operator.ts'

/** What the admin worker is given. */
export interface AdminEnv {
  LIVE: Omit<Operator, 'env' | 'ctx'>
  OPERATOR_KEY: string
  /** The name of this worker: a token for another project's is not for this one. */
  AUDIENCE: string
  /** Identifies the runtime and bindings of this deployment; the service waits until it is served. */
  VERSION: string
}

/** The context of every route: which tier the token speaks of. */
export interface AdminContext {
  Bindings: AdminEnv
  Variables: { tier: Tier }
}

/** What the objects answered, or their refusal thrown. */
export async function opened<T>(answer: Promise<OperatorAnswer<T>>): Promise<T> {
  const read = await answer
  if (read.ok) return read.value
  throw fromFailure(read.error)
}

/** A number of the query as the service has checked it. */
export function limitOf(text: string | undefined): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1000) return limit
  throw new ApiError('invalid_request', 'limit: must be a whole number from 1 to 1000')
}
