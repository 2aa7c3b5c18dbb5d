/** SQL that makes a time read as the API writes it: ISO 8601, UTC, milliseconds. Null stays null. */
export const isoTime = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
