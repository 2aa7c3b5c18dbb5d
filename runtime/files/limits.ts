import { IMAGE_WIDTHS } from '../bytes/image-widths.ts'
import { wholeNumberVariable } from '../kernel/variable.ts'
import { fieldsOf } from '../kernel/fields.ts'

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
  const { maxBytes, types, perUserBytes, imageWidths } = DEFAULT_FILE_LIMITS
  const { FILES_TYPES, FILES_IMAGE_WIDTHS } = fieldsOf(env)
  const bytesIn = (name: string, absent: number) =>
    wholeNumberVariable(env, name, { absent, most: Number.MAX_SAFE_INTEGER })
  return {
    maxBytes: bytesIn('FILES_MAX_BYTES', maxBytes),
    types: typeof FILES_TYPES === 'string' ? FILES_TYPES.split(' ') : types,
    perUserBytes: bytesIn('FILES_PER_USER_BYTES', perUserBytes),
    imageWidths:
      typeof FILES_IMAGE_WIDTHS === 'string' ? FILES_IMAGE_WIDTHS.split(' ').map(Number) : imageWidths,
  }
}
