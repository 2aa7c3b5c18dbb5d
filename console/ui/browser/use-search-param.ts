import { useEffect, useEffectEvent, useState } from 'react'

const TYPING_PAUSE_MS = 250

/**
 * Binds the text of a search field to a URL parameter. `told` is the parameter's current value. `tell` is called with a new value when the
 * typing pauses. `fit` truncates the text to what can be searched. A navigation, such as by the back button, replaces the text.
 */
export function useSearchParam(
  told: string,
  tell: (words: string) => void,
  fit = (words: string) => words.trim(),
) {
  const [words, setWords] = useState(told)
  // The last value in the URL (`seen`) and the last one that this field wrote (`asked`). A value that the
  // field wrote itself must not replace what the user has typed since.
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
    // Do not write an unchanged value: this field stays mounted while the next page loads, and writing would
    // navigate back.
    if (wanted === asked) return
    const timer = setTimeout(() => ask(wanted), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [wanted, asked])
  return [words, setWords] as const
}
