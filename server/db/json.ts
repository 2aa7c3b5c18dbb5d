import { type RawBuilder, sql } from 'kysely'

/** A value for a column of type `json`. */
export const json = <T>(value: T): RawBuilder<T> => sql<T>`${JSON.stringify(value)}`
