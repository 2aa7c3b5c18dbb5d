import { useEffect, useEffectEvent, useState } from 'react'

const TYPING_MS = 250

/**
 * Binds the text of a search field to a URL parameter: `told` is its current value, `tell` writes it when the
 * typing pauses, and `fit` truncates the text to what can be searched. A navigation, such as by the back
 * button, replaces the text.
 */
export function useSearchParam(
  told: string,
  tell: (words: string) => void,
  fit = (words: string) => words.trim(),
) {
  const [words, setWords] = useState(told)
  // The last value from the URL, and the last one this field wrote: its own value must not reset the text
  // while a person types on.
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
    // Without a new search nothing is called: a page stays on screen while the next one loads.
    if (wanted === asked) return
    const timer = setTimeout(() => ask(wanted), TYPING_MS)
    return () => clearTimeout(timer)
  }, [wanted, asked])
  return [words, setWords] as const
}
