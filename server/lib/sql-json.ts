/**
 * SQL that formats a time as the API does: ISO 8601, UTC, milliseconds. Null stays null. Cutting the text of
 * `to_json` costs half as much as `to_char`. The added microsecond makes Postgres print all six digits, so
 * that the cut is always at the same place.
 */
export const isoTime = (column: string): string =>
  `substr(to_json((${column} + interval '1 microsecond') at time zone 'UTC')::text, 2, 23) || 'Z'`

/*
 * JSON text written field by field, for the frequent reads: row_to_json looks up the type of every column for
 * every row and takes twice as long. Each function returns the SQL of a value's JSON, which is null for a
 * null. One null makes the whole text null, so nullable columns go through `jsonOrNull`.
 */

/** SQL that formats a value as a JSON string without escaping: an id, or a word of a fixed set. */
export const jsonWord = (column: string): string => `'"' || ${column} || '"'`

/** SQL that formats any column as JSON, escaped as needed. */
export const jsonValue = (column: string): string => `to_json(${column})::text`

/** Like `jsonValue`, but faster for an array that is empty in most rows. */
export const jsonList = (column: string): string =>
  `case when cardinality(${column}) = 0 then '[]' else ${jsonValue(column)} end`

/** Like `isoTime`, but with the quotes of JSON. */
export const jsonTime = (column: string): string =>
  `left(to_json((${column} + interval '1 microsecond') at time zone 'UTC')::text, 24) || 'Z"'`

/** Returns the JSON, or `null` when the value is null. */
export const jsonOrNull = (json: string): string => `coalesce(${json}, 'null')`

/** SQL that formats the fields of a JSON object without the braces, so that the caller can add more fields. */
export function jsonFields(fields: Record<string, string>): string {
  const parts = Object.entries(fields).map(
    ([name, value], i) => `'${i === 0 ? '' : ','}"${name}":' || ${value}`,
  )
  // `concat` takes twice as long as `||`. Each `||` takes time too, so neighbouring constants are merged into one.
  return parts.join(' || ').replaceAll(`' || '`, '')
}
