import { type RawBuilder, sql } from 'kysely'

/** Returns a value for a column of type `json`. Without this function the driver would send an array as a Postgres array. */
export const json = <T>(value: T): RawBuilder<T> => sql<T>`${JSON.stringify(value)}`
