/**
 * JSON text of a `T`, as `JSON.stringify` returns it and `JSON.parse` reads it without a cast.
 * In this repository `json.d.ts` gives `JsonBrand` a member, so that the type `T` is kept. Apps are
 * type-checked without that file; there it is any string.
 */
export type JsonText<T> = string & JsonBrand<T>

// oxlint-disable-next-line eslint/no-unused-vars -- json.d.ts uses it
export interface JsonBrand<T> {}
