// The types of `JSON` in our own code: text that we wrote has the type of its value, and any other text is `unknown` when it is
// parsed. It is outside `runtime/`, because everything there is copied into apps, whose `JSON` must stay the standard one.
import type { JsonText as Text } from './runtime/kernel/json-text.ts'

declare const json: unique symbol

declare module './runtime/kernel/json-text.ts' {
  interface JsonBrand<T> {
    readonly [json]: T
  }
}

declare global {
  /** For packages that import nothing of `runtime`. Files of `runtime` import the type, because an app has no such global. */
  type JsonText<T> = Text<T>

  interface JSON {
    parse<T>(text: JsonText<T>): T
    /** For a list that may be missing: `JSON.parse(stored ?? '[]')`. */
    parse<T>(text: JsonText<T[]> | '[]'): T[]
    parse(text: string): unknown
    /** Not for values that may be undefined, for which `JSON.stringify` returns no text. */
    stringify<T extends {} | null>(value: T, replacer?: null, space?: string | number): JsonText<T>
  }
}
