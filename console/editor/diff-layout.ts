import { useState } from 'react'
import { readChoice, storeChoice } from '../lib/stored-choice.ts'

export type DiffLayout = 'unified' | 'split'

const STORAGE_KEY = 'slipway.diff'

/** How comparisons are laid out. The choice is stored in this browser. */
export function useDiffLayout(): [DiffLayout, (layout: DiffLayout) => void] {
  const [layout, setLayout] = useState(readLayout)
  const choose = (next: DiffLayout) => {
    setLayout(next)
    storeChoice(STORAGE_KEY, next)
  }
  return [layout, choose]
}

function readLayout(): DiffLayout {
  return readChoice(STORAGE_KEY) === 'split' ? 'split' : 'unified'
}
