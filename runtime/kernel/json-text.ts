/**
 * JSON text of a `T`: the type that `JSON.stringify` returns and from which `JSON.parse` infers `T`.
 * `json.d.ts` at the root of this repository declares both functions, and adds a member of type `T` to
 * `JsonBrand<T>`, so that texts of different types cannot be mixed up. Apps do not have that file: there,
 * `JsonText` is a plain string type.
 */
export type JsonText<T> = string & JsonBrand<T>

// oxlint-disable-next-line eslint/no-unused-vars -- json.d.ts uses it
export interface JsonBrand<T> {}
