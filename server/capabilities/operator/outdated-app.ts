import { ApiError } from '../../http/errors.ts'

/** The app's admin worker does not know the address it was asked at: an earlier version of the service shipped it. */
export class OutdatedAppError extends ApiError {
  constructor() {
    super('not_enabled', 'The live app was shipped by an earlier version. Ship it again to do this.')
  }
}
