/**
 * JSON text of a `T`, as `JSON.stringify` returns it and `JSON.parse` reads it without a cast.
 * `json.d.ts` in the root fills the brand for our own type checks. An app is checked without that file: there it is any string.
 */
export type JsonText<T> = string & JsonBrand<T>

// oxlint-disable-next-line eslint/no-unused-vars -- json.d.ts uses it
export interface JsonBrand<T> {}
