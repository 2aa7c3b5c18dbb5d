import { ApiError } from '../http/errors.ts'

/** Why a sign-in at a provider did not become a connection. The console has a text for each reason. */
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

/** A `conflict` with the code of its reason, for which the console has a text of its own. */
export class ConnectionRefused extends ApiError {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string) {
    super('conflict', message)
    this.reason = reason
  }
}
