const original = globalThis.fetch

/**
 * Replaces `fetch` until `restoreFetch`. Not a mock of the test runner: when two mocks of one function are restored, the
 * second one brings the first one back, and many test files share a process.
 */
export function replaceFetch(fake: (...args: never[]) => Promise<Response>): void {
  globalThis.fetch = fake as typeof fetch
}

export function restoreFetch(): void {
  globalThis.fetch = original
}
