import type { JsonText } from './json-text.ts'

/** Returns the value of a worker's variable that contains JSON; `absent` when the variable is not set. */
export const readVariable = <T>(text: JsonText<T> | undefined, absent: T): T =>
  typeof text === 'string' && text !== '' ? JSON.parse(text) : absent
