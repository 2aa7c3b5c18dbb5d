import { type RawBuilder, sql } from 'kysely'

/** For a column of type `json`: the driver itself would send an array as an array of Postgres. */
export const json = <T>(value: T): RawBuilder<T> => sql<T>`${JSON.stringify(value)}`
