import type { PreviewError } from '../../api/project/preview.ts'
import type { PreviewMessage } from './preview-message.ts'

/** What the app reported, with a number of its own: the same words may come twice. */
export interface AppError {
  id: number
  message: string
  stack: string | null
  path: string
  at: string
}

const KEPT_MAX = 50
/** What the service takes of one error. */
const SENT_BYTES_MAX = 4096

/** The errors after one more; the newest are kept. */
export function withError(
  errors: AppError[],
  { message, stack, path }: PreviewMessage & { kind: 'error' },
  at: Date,
): AppError[] {
  const id = (errors.at(-1)?.id ?? 0) + 1
  return [...errors, { id, message, stack, path, at: at.toISOString() }].slice(-KEPT_MAX)
}

/** An error as the next build is told it; of a long stack, what fits. */
export function toPreviewError({ message, stack, path, at }: AppError): PreviewError {
  for (let characters = stack?.length ?? 0; ; characters = Math.floor(characters / 2)) {
    const cut = stack?.slice(0, characters)
    const error: PreviewError = { message, ...(cut && { stack: cut }), ...(path && { source: path }), at }
    if (!cut || new TextEncoder().encode(JSON.stringify(error)).length <= SENT_BYTES_MAX) return error
  }
}
