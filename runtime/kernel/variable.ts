import { fieldsOf, isWholeNumber } from './fields.ts'
import type { JsonText } from './json-text.ts'

/** Returns the value of a worker's variable that contains JSON; `absent` when the variable is not set. */
export const readVariable = <T>(text: JsonText<T> | undefined, absent: T): T =>
  typeof text === 'string' && text !== '' ? JSON.parse(text) : absent

/** Returns the text of a variable or a secret; null when that is empty or not set. */
export function textVariable(env: unknown, name: string): string | null {
  const value = fieldsOf(env)[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** Returns the value of a variable as a number; `absent` when the value is not a whole number from `least` to `most`. */
export function wholeNumberVariable(
  env: unknown,
  name: string,
  { absent, least = 1, most }: { absent: number; least?: number; most: number },
): number {
  const number = Number(textVariable(env, name) ?? Number.NaN)
  return isWholeNumber(number, least, most) ? number : absent
}
