import { invalid } from '../kernel/errors.ts'

/** Bounds the work of hashing. */
export const PASSWORD_CHARS_MAX = 200

/** Throws with the name of the field. Pages check with it before they send. */
export function newPasswordIn(
  { passwordMin }: { passwordMin: number },
  value: unknown,
  field: string,
): string {
  if (typeof value !== 'string' || value.length < passwordMin || value.length > PASSWORD_CHARS_MAX)
    throw invalid(field, `must have ${passwordMin} to ${PASSWORD_CHARS_MAX} characters`)
  return value
}
