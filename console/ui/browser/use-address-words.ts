import { useEffect, useEffectEvent, useState } from 'react'

const TYPING_MS = 250

/**
 * The words of a search field that stand in the address: `told` is what that says, `tell` writes them there once the
 * typing pauses, and `fit` makes of them what may be searched for. Another address, as by the back button, brings its
 * own words.
 */
export function useAddressWords(
  told: string,
  tell: (words: string) => void,
  fit = (words: string) => words.trim(),
) {
  const [words, setWords] = useState(told)
  // What the address said last, and what this field asked it to say: its own words come back to it while one types on.
  const [seen, setSeen] = useState(told)
  const [asked, setAsked] = useState(told)
  if (told !== seen) {
    setSeen(told)
    if (told !== asked) {
      setAsked(told)
      setWords(told)
    }
  }
  const ask = useEffectEvent((next: string) => {
    setAsked(next)
    tell(next)
  })
  const wanted = fit(words)
  useEffect(() => {
    // Without a new search it calls nobody back: a page stays on screen while the next one loads.
    if (wanted === asked) return
    const timer = setTimeout(() => ask(wanted), TYPING_MS)
    return () => clearTimeout(timer)
  }, [wanted, asked])
  return [words, setWords] as const
}
