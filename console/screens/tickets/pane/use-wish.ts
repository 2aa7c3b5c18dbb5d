import { useState } from 'react'

/** Whether a sentence is built at once, or becomes a ticket that waits. */
export const WISHES = ['build', 'add'] as const
type Wish = (typeof WISHES)[number]

const KEY = 'slipway.wish'

/** The choice, kept in this browser for all projects. */
export function useWish(): [Wish, (next: Wish) => void] {
  const [wish, setWish] = useState(readWish)
  const choose = (next: Wish) => {
    setWish(next)
    try {
      localStorage.setItem(KEY, next)
    } catch {
      // Storage is blocked: the choice is lost when the page closes.
    }
  }
  return [wish, choose]
}

function readWish(): Wish {
  try {
    return localStorage.getItem(KEY) === 'add' ? 'add' : 'build'
  } catch {
    return 'build'
  }
}
