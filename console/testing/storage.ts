/**
 * Runs a part of a test as in a browser that blocks storage, which throws as soon as `localStorage` is read. Mocking the methods of
 * `Storage` has no effect, because happy-dom's storage does not use them.
 */
export async function withBlockedStorage(run: () => unknown): Promise<void> {
  const storage = localStorage
  const define = (part: PropertyDescriptor) =>
    Object.defineProperty(globalThis, 'localStorage', { configurable: true, ...part })
  define({
    get: () => {
      throw new DOMException('Access is denied.', 'SecurityError')
    },
  })
  try {
    await run()
  } finally {
    define({ writable: true, value: storage })
  }
}
