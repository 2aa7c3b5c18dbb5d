import { invalid } from '../../kernel/errors.ts'

/** Limits the time that hashing takes. */
export const PASSWORD_CHARS_MAX = 200

/**
 * Returns the password. Throws an error that names `field` when it is not valid. Pages also call this function before they send a new
 * password.
 */
export function newPasswordIn(
  { passwordMin }: { passwordMin: number },
  value: unknown,
  field: string,
): string {
  if (typeof value !== 'string' || value.length < passwordMin || value.length > PASSWORD_CHARS_MAX)
    throw invalid(field, `must have ${passwordMin} to ${PASSWORD_CHARS_MAX} characters`)
  return value
}
