/**
 * JSON text of a `T`: the type that `JSON.stringify` returns and from which `JSON.parse` infers `T`.
 * `json.d.ts` at the root of this repository declares both and adds the member to `JsonBrand` that tells the
 * types apart. Apps do not have that file; there `JsonText` is a plain string type.
 */
export type JsonText<T> = string & JsonBrand<T>

// oxlint-disable-next-line eslint/no-unused-vars -- json.d.ts uses it
export interface JsonBrand<T> {}
