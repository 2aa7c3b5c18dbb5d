/**
 * How the test app that uses everything uses one capability (`everything-app.ts`). Each capability has a sample in
 * `server/capabilities/<key>/sample.testing.ts`.
 */
export interface CapabilitySample {
  /** Fields of `app.json`. */
  manifest?: object
  /**
   * Statements of the route `POST /letters`. In them `person` is the person who sends the request, and `c` is the request's context in
   * Hono.
   */
  code?: string
  /** Statements of the route `POST /letters` that may refuse the request. They run before the `code` of every capability. */
  refusal?: string
  /**
   * A property of the response of `POST /letters`, in the form of an object literal: `size: file.size`. `test/every-capability.test.ts`
   * compares the whole response.
   */
  answer?: string
  /** Separate routes, for code that only some tests of the app can call. */
  routes?: string
  /** What the code imports from `@slipway/app/server`. Defaults to the key of the capability. */
  imports?: string[]
  /** What the operator sets besides enabling the capability. */
  operator?: { settings?: object; secrets?: Record<string, string> }
}
