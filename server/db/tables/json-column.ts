import type { ColumnType, RawBuilder } from 'kysely'

/**
 * A column of type `json`. It is read as a value and written with `json()` of db/json.ts, because the driver would write an array as a
 * Postgres array. It is not `jsonb`, which refuses NUL and half a surrogate pair and reorders keys (docs/decisions/0037).
 */
export type JsonColumn<T> = ColumnType<T, RawBuilder<T>, RawBuilder<T>>
