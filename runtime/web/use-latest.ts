import { useRef } from 'react'

/**
 * Returns a function that reads and passes the result to `show`. Drops a result when a later read has begun, because the result would
 * replace a newer one. Rejects when the read fails.
 */
export function useLatest<T>(read: () => Promise<T>, show: (value: T) => void): () => Promise<void> {
  const last = useRef(0)
  return async () => {
    const own = ++last.current
    const value = await read()
    if (own === last.current) show(value)
  }
}
