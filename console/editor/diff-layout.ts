import { useState } from 'react'

export type DiffLayout = 'unified' | 'split'

const STORAGE_KEY = 'slipway.diff'

/** How comparisons are laid out. The choice is stored in this browser. */
export function useDiffLayout(): [DiffLayout, (layout: DiffLayout) => void] {
  const [layout, setLayout] = useState(readLayout)
  const choose = (next: DiffLayout) => {
    setLayout(next)
    try {
      localStorage.setItem(STORAGE_KEY, next)
    } catch {
      // Storage is blocked, so the choice is lost when the page closes.
    }
  }
  return [layout, choose]
}

function readLayout(): DiffLayout {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'split' ? 'split' : 'unified'
  } catch {
    return 'unified'
  }
}
