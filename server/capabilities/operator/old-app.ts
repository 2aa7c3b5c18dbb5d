import { ApiError } from '../../http/errors.ts'

/** Whether the app's admin worker does not know the address it was asked at: an earlier version shipped it. */
export const isOldApp = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'not_found' && error.message === 'No such address.'

export const shipAgain = (cause: unknown) =>
  new ApiError('not_enabled', 'The live app was shipped by an earlier version. Ship it again to do this.', {
    cause,
  })
