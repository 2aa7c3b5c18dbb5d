/** The operator's settings of the capability; a worker deployed by hand gets the defaults. */
export interface FileLimits {
  maxBytes: number
  /** Accepted media types. */
  types: string[]
  perUserBytes: number
}

const MIB = 1024 * 1024
export const DEFAULT_FILE_LIMITS: FileLimits = {
  maxBytes: 25 * MIB,
  types: ['*/*'],
  perUserBytes: 1024 * MIB,
}

/** Reads the capability's settings from the worker's variables. */
export function fileLimitsOf(env: unknown): FileLimits {
  const { FILES_MAX_BYTES, FILES_TYPES, FILES_PER_USER_BYTES } = env as Record<string, unknown>
  return {
    maxBytes: positive(FILES_MAX_BYTES) ?? DEFAULT_FILE_LIMITS.maxBytes,
    types: typeof FILES_TYPES === 'string' ? FILES_TYPES.split(' ') : DEFAULT_FILE_LIMITS.types,
    perUserBytes: positive(FILES_PER_USER_BYTES) ?? DEFAULT_FILE_LIMITS.perUserBytes,
  }
}

function positive(value: unknown): number | null {
  const number = typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) && number > 0 ? number : null
}
