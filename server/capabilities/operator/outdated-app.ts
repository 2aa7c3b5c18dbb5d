import { ApiError } from '../../http/errors.ts'

/** Thrown when the admin worker lacks the requested path because an earlier version of the service deployed that worker. */
export class OutdatedAppError extends ApiError {
  constructor() {
    super('not_enabled', 'The live app was shipped by an earlier version. Ship it again to do this.')
  }
}
