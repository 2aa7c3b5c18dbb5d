/** The part of the package `semver` that this project uses. The package contains no types. */
declare module 'semver' {
  export function satisfies(version: string, range: string): boolean
  export function validRange(range: string): string | null
  export function maxSatisfying(versions: readonly string[], range: string): string | null
}
