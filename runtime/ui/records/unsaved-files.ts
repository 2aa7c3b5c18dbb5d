import { useEffect, useState } from 'react'
import { ApiError } from '../../kernel/errors.ts'

/**
 * Files that a form has uploaded and that no record refers to yet. These files are deleted when the form unmounts, because they count
 * toward the person's limit.
 */
export function useUnsavedFiles(): UnsavedFiles {
  const [unsaved] = useState(() => new UnsavedFiles())
  useEffect(() => {
    unsaved.open()
    // Keep the files when the browser caches the page: the browser may show the page and its form again.
    const leave = ({ persisted }: PageTransitionEvent) => persisted || unsaved.close()
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      unsaved.close()
    }
  }, [unsaved])
  return unsaved
}

class UnsavedFiles {
  readonly #ids = new Set<string>()
  #isOpen = true

  open(): void {
    this.#isOpen = true
  }

  /** Adds an uploaded file. Deletes it at once when the form is already closed. */
  add(id: string): void {
    this.#ids.add(id)
    if (!this.#isOpen) this.close()
  }

  /**
   * Stops tracking the files among these values, because a record may refer to them now. Returns a function for a failed save, which tracks
   * these files again if the error proves that nothing was stored.
   */
  sent(values: Record<string, unknown>): (error: unknown) => void {
    const sent = Object.values(values).filter((one): one is string => this.#ids.delete(one as string))
    return (error) => {
      if (isRefusal(error)) for (const id of sent) this.add(id)
    }
  }

  close(): void {
    this.#isOpen = false
    for (const id of this.#ids) {
      this.#ids.delete(id)
      // `keepalive`, because the browser cancels other requests when the page is left.
      void fetch(`/_app/files/${id}`, { method: 'DELETE', keepalive: true }).catch(() => undefined)
    }
  }
}

/**
 * Returns whether an error proves that nothing was stored. A conflict without a field does not prove this: an earlier attempt, whose
 * response was lost, may have stored the record.
 */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.field !== undefined || error.code === 'forbidden' || error.code === 'rate_limited')
