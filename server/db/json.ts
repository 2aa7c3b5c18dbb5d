import { type ColumnType, type RawBuilder, sql } from 'kysely'

/**
 * A column of type `json`. It is read as a value and written with `json()`, because the driver would write an array
 * as an array of Postgres. The type is `json` and not `jsonb`: that refuses a NUL and half a surrogate pair, which
 * texts of a model or an app may contain, and it changes the order of keys (docs/decisions/0037).
 */
export type JsonColumn<T> = ColumnType<T, RawBuilder<T>, RawBuilder<T>>

/** A value for a column of type `json`. */
export const json = <T>(value: T): RawBuilder<T> => sql<T>`${JSON.stringify(value)}`
