import { useEffect, useState } from 'react'
import { ApiError } from '../kernel/errors.ts'

/**
 * Files that a form has uploaded and that no record refers to. They are removed with the form, because they count against what
 * the person may upload.
 */
export function useUnsavedFiles(): UnsavedFiles {
  const [unsaved] = useState(() => new UnsavedFiles())
  useEffect(() => {
    unsaved.open()
    // A page that the browser keeps may be shown again, with its form.
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

  /** A file that arrives after the form was closed is removed at once. */
  add(id: string): void {
    this.#ids.add(id)
    if (!this.#isOpen) this.close()
  }

  /**
   * Stops tracking the files among these values, because a record may refer to them now. Returns a function for an error of the
   * save, which tracks them again when certainly nothing was stored.
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
      // The browser cancels other requests when the page is left.
      void fetch(`/_app/files/${id}`, { method: 'DELETE', keepalive: true }).catch(() => undefined)
    }
  }
}

/**
 * True when an error proves that nothing was stored. A conflict without a field does not: the record itself may have been stored
 * by an earlier attempt whose response was lost.
 */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.field !== undefined || error.code === 'forbidden' || error.code === 'rate_limited')
