import { useEffect, useState } from 'react'
import { ApiError } from '../kernel/errors.ts'

/**
 * The files that a form has uploaded and that no record refers to. They are removed when the form goes, because they count
 * against what the person may upload.
 */
export function useUnsavedFiles(): UnsavedFiles {
  const [unsaved] = useState(() => new UnsavedFiles())
  useEffect(() => {
    unsaved.open()
    // A page that the browser keeps may be shown again with its form.
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

  /** Notes a file that was uploaded; one that arrives after the form has gone is removed at once. */
  add(id: string): void {
    this.#ids.add(id)
    if (!this.#isOpen) this.close()
  }

  /**
   * Forgets the files among these values, because a record may refer to them from here on. Returns a function that takes an
   * error of the save, and notes them again when it certainly stored nothing.
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
      // A page that is left ends other requests.
      void fetch(`/_app/files/${id}`, { method: 'DELETE', keepalive: true }).catch(() => undefined)
    }
  }
}

/**
 * Whether an error says that nothing was stored, rather than that nothing is known of it. A conflict that names no field may be
 * one with the record itself, stored by an earlier try whose response was lost.
 */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.field !== undefined || error.code === 'forbidden' || error.code === 'rate_limited')
