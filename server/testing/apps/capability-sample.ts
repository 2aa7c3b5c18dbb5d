/**
 * How the test app that uses everything uses one capability (`everything-app.ts`). Each capability has a sample in
 * `server/capabilities/<key>/sample.testing.ts`.
 */
export interface CapabilitySample {
  /** Fields of `app.json`. */
  manifest?: object
  /** Statements of the route `POST /letters`. There `person` is the person who sends the request, and `c` is its context in Hono. */
  code?: string
  /** Statements of that route that may refuse the request. They run before the `code` of every capability. */
  refusal?: string
  /**
   * A property of the response of that route, in the form of an object literal: `size: file.size`. `test/every-capability.test.ts`
   * compares the whole response.
   */
  answer?: string
  /** Separate routes, for code that not every test of the app can call. */
  routes?: string
  /** What the code imports from `@slipway/app/server`. By default the key of the capability. */
  imports?: string[]
  /** What the operator sets besides enabling the capability. */
  operator?: { settings?: object; secrets?: Record<string, string> }
}
