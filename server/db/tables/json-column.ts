import type { ColumnType, RawBuilder } from 'kysely'

/**
 * A column of type `json`: read as a value, and written with `json()` of db/json.ts, because the driver would write an
 * array as an array of Postgres. The type is not `jsonb`, which refuses a NUL and half a surrogate pair and changes the
 * order of keys (docs/decisions/0037).
 */
export type JsonColumn<T> = ColumnType<T, RawBuilder<T>, RawBuilder<T>>
