import { useState } from 'react'

/**
 * Returns whether a page still waits for its first reads: while `isLoading`, and never again for the same `key`. A page must not be
 * unmounted for a later read. That would lose what was typed. A part that retries a failed query when it mounts would also appear and
 * disappear for ever.
 */
export function useFirstRead(key: string, isLoading: boolean): boolean {
  const [readKey, setReadKey] = useState<string | null>(null)
  if (!isLoading && readKey !== key) setReadKey(key)
  return isLoading && readKey !== key
}
