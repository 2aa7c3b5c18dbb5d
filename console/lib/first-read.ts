import { useState } from 'react'

/**
 * Returns whether a page still waits for its first reads: as long as `isLoading`, and never again for the same `key` once it
 * was false. What is shown stays: a part that was taken away for a later read would lose what was typed, and one that reads
 * a failed query again as soon as it is shown would come and go for ever.
 */
export function useFirstRead(key: string, isLoading: boolean): boolean {
  const [readKey, setReadKey] = useState<string | null>(null)
  if (!isLoading && readKey !== key) setReadKey(key)
  return isLoading && readKey !== key
}
