import { ApiError } from '../http/errors.ts'

/** Why a sign-in at a provider did not become a connection; the console has a text for each. */
export type RefusalReason =
  | 'state'
  | 'expired'
  | 'denied'
  | 'code'
  | 'unreachable'
  | 'no_account'
  | 'account_locked'
  | 'signed_out'
  | 'not_allowed'
  | 'failed'

/** A 409 with a word for the console, which has its own text for each reason. */
export class ConnectionRefused extends ApiError {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string) {
    super('conflict', message)
    this.reason = reason
  }
}
