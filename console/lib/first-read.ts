import { useState } from 'react'

/**
 * Returns whether a page still waits for its first reads. Once `isLoading` was false, returns false until `key` changes. A later read must
 * not unmount the page, because typed text would be lost. Unmounting would also cause an endless loop where a component retries its failed
 * query on mount: the retry unmounts the component, and the result mounts it again.
 */
export function useFirstRead(key: string, isLoading: boolean): boolean {
  const [readKey, setReadKey] = useState<string | null>(null)
  if (!isLoading && readKey !== key) setReadKey(key)
  return isLoading && readKey !== key
}
