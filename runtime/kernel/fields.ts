/** The fields of an object whose values have not been validated. */
export type UnvalidatedFields = Record<string, unknown>

export const isFields = (value: unknown): value is UnvalidatedFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the fields of an object or the entries of a list; an empty object for any other value. */
export const fieldsOf = (value: unknown): UnvalidatedFields =>
  typeof value === 'object' && value !== null ? (value as UnvalidatedFields) : {}
