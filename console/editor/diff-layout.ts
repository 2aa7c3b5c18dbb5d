import { useState } from 'react'

export type DiffLayout = 'unified' | 'split'

const KEY = 'slipway.diff'

/** How comparisons are laid out; the choice outlives the page. */
export function useDiffLayout(): [DiffLayout, (layout: DiffLayout) => void] {
  const [layout, setLayout] = useState(readLayout)
  const choose = (next: DiffLayout) => {
    setLayout(next)
    try {
      localStorage.setItem(KEY, next)
    } catch {
      // Without storage the choice lasts until the page is left.
    }
  }
  return [layout, choose]
}

function readLayout(): DiffLayout {
  try {
    return localStorage.getItem(KEY) === 'split' ? 'split' : 'unified'
  } catch {
    return 'unified'
  }
}
