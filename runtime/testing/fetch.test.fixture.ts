const original = globalThis.fetch

/**
 * Replaces `fetch` until `restoreFetch`. Does not use a mock of the test runner, because many test files share a process:
 * when two of them mock `fetch`, restoring the second mock installs the first one again.
 */
export function replaceFetch(fake: (...args: never[]) => Promise<Response>): void {
  globalThis.fetch = fake as typeof fetch
}

export function restoreFetch(): void {
  globalThis.fetch = original
}
