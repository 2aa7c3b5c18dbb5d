import { useState } from 'react'

/**
 * Returns whether a page still waits for its first reads. Once `isLoading` was false, it returns false for as
 * long as `key` is the same. A later read must not unmount the page, because that would lose what was typed. It would also loop
 * without end where a component retries its failed query on mount: the retry unmounts the component, and the
 * result mounts it again.
 */
export function useFirstRead(key: string, isLoading: boolean): boolean {
  const [readKey, setReadKey] = useState<string | null>(null)
  if (!isLoading && readKey !== key) setReadKey(key)
  return isLoading && readKey !== key
}
