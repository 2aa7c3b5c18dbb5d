import { useState } from 'react'

/** What a sentence in the box of a project becomes: a build at once, or a ticket that waits. */
export const WISHES = ['build', 'add'] as const
type Wish = (typeof WISHES)[number]

const KEY = 'slipway.wish'

/** The choice of this browser; it is remembered for all projects. */
export function useWish(): [Wish, (next: Wish) => void] {
  const [wish, setWish] = useState(readWish)
  const choose = (next: Wish) => {
    setWish(next)
    try {
      localStorage.setItem(KEY, next)
    } catch {
      // Without storage the choice lasts until the page is left.
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
