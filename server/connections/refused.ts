import { ApiError } from '../http/errors.ts'

/** The reasons why a sign-in at a provider did not result in a connection. The console has a message for each reason. */
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

/** A `conflict` error with the reason why a sign-in did not result in a connection. */
export class ConnectionRefusedError extends ApiError {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string) {
    super('conflict', message)
    this.reason = reason
  }
}
