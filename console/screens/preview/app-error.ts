import type { PreviewError } from '../../api/project/preview.ts'
import type { PreviewMessage } from './preview-message.ts'

/** An error that the previewed app reported. The id tells apart errors that have the same message. */
export interface AppError {
  id: number
  message: string
  stack: string | null
  path: string
  at: string
}

const ERRORS_MAX = 50
/** The service's limit for one reported error, in bytes. */
const REPORT_BYTES_MAX = 4096

/** Adds an error and keeps the newest 50. */
export function withError(
  errors: AppError[],
  { message, stack, path }: PreviewMessage & { kind: 'error' },
  at: Date,
): AppError[] {
  const id = (errors.at(-1)?.id ?? 0) + 1
  return [...errors, { id, message, stack, path, at: at.toISOString() }].slice(-ERRORS_MAX)
}

/** Converts an error to the form that is sent to the next build. Truncates a long stack. */
export function toPreviewError({ message, stack, path, at }: AppError): PreviewError {
  for (let characters = stack?.length ?? 0; ; characters = Math.floor(characters / 2)) {
    const cut = stack?.slice(0, characters)
    const error: PreviewError = { message, ...(cut && { stack: cut }), ...(path && { source: path }), at }
    if (!cut || new TextEncoder().encode(JSON.stringify(error)).length <= REPORT_BYTES_MAX) return error
  }
}
