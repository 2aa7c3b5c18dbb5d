// The types of `JSON` in this repository. `JSON.stringify` returns a text whose type contains the type of the value, so
// that `JSON.parse` of this text returns a value of that type. `JSON.parse` of any other text returns `unknown`. This
// file is outside `runtime/`, because everything there is copied into apps, where `JSON` must have the standard types.
import type { JsonText as Text } from './runtime/kernel/json-text.ts'

declare const json: unique symbol

declare module './runtime/kernel/json-text.ts' {
  interface JsonBrand<T> {
    readonly [json]: T
  }
}

declare global {
  /**
   * For code that does not import from `runtime`. Files of `runtime` import the type, because this global is
   * missing in apps.
   */
  type JsonText<T> = Text<T>

  interface JSON {
    parse<T>(text: JsonText<T>): T
    /** For a list that may be missing: `JSON.parse(stored ?? '[]')`. */
    parse<T>(text: JsonText<T[]> | '[]'): T[]
    parse(text: string): unknown
    /** Does not accept values that may be undefined, because `JSON.stringify` returns no text for undefined. */
    stringify<T extends {} | null>(value: T, replacer?: null, space?: string | number): JsonText<T>
  }

  /** Makes `json()` of requests and responses return `unknown` in the browser's types, as it does in the types of Node. */
  interface Body {
    json(): Promise<unknown>
  }
}
