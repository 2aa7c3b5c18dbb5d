import { IMAGE_WIDTHS } from '../bytes/image-widths.ts'

/**
 * The operator's limits of the capability `files`. An app that was deployed with plain wrangler instead of by
 * Slipway has the defaults.
 */
export interface FileLimits {
  maxBytes: number
  /** Allowed media types, such as `image/*`. */
  types: string[]
  perUserBytes: number
  /** Widths in which copies are created. For any other width the whole picture is shown, unless an older copy exists. */
  imageWidths: readonly number[]
}

const MIB = 1024 * 1024
export const DEFAULT_FILE_LIMITS: FileLimits = {
  maxBytes: 25 * MIB,
  types: ['*/*'],
  perUserBytes: 1024 * MIB,
  imageWidths: IMAGE_WIDTHS,
}

export function fileLimitsOf(env: unknown): FileLimits {
  const { FILES_MAX_BYTES, FILES_TYPES, FILES_PER_USER_BYTES, FILES_IMAGE_WIDTHS } = env as Record<
    string,
    unknown
  >
  return {
    maxBytes: positiveInteger(FILES_MAX_BYTES) ?? DEFAULT_FILE_LIMITS.maxBytes,
    types: typeof FILES_TYPES === 'string' ? FILES_TYPES.split(' ') : DEFAULT_FILE_LIMITS.types,
    perUserBytes: positiveInteger(FILES_PER_USER_BYTES) ?? DEFAULT_FILE_LIMITS.perUserBytes,
    imageWidths:
      typeof FILES_IMAGE_WIDTHS === 'string'
        ? FILES_IMAGE_WIDTHS.split(' ').map(Number)
        : DEFAULT_FILE_LIMITS.imageWidths,
  }
}

function positiveInteger(value: unknown): number | null {
  const number = typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) && number > 0 ? number : null
}
