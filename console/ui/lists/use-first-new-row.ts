import { useEffect, useRef } from 'react'

/**
 * For a list that a button extends. Call `extend` before the list grows. When the focused button disappears with the last hidden rows, the
 * focus moves to the first new row.
 */
export function useFirstNewRow<List extends HTMLElement>() {
  const list = useRef<List>(null)
  const shownBefore = useRef<number | null>(null)
  useEffect(() => {
    const row = shownBefore.current === null ? undefined : list.current?.children[shownBefore.current]
    shownBefore.current = null
    if (!(row instanceof HTMLElement) || document.activeElement !== document.body) return
    row.tabIndex = -1
    row.focus()
  })
  const extend = () => {
    shownBefore.current = list.current?.childElementCount ?? null
  }
  return { list, extend }
}
