import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { onDraftRemoved, openDraft } from './drafts.ts'

/** The text of one field, which survives a reload. The form empties the field when the service has stored the text. */
export function useDraftText(kind: string, id?: string) {
  const [place] = useState(() => openDraft(kind, id))
  const [text, setText] = useState(place.read)
  const [isRestored, setRestored] = useState(text !== '')
  const latest = useRef(text)
  const write = (next: string) => {
    latest.current = next
    setText(next)
    if (next === '') setRestored(false)
    place.store(next)
  }
  const clearSent = useEffectEvent((id: string) => {
    if (id === place.idOf(latest.current)) write('')
  })
  // A form that was closed during its request and opened again shows the text that the closed form has sent.
  useEffect(() => onDraftRemoved((id) => clearSent(id)), [])
  /** Empties the field. Returns the function that undoes this, unless something was typed since then. */
  const discard = () => {
    write('')
    return () => {
      // The same field, opened again or in another tab, may have stored something since.
      if (latest.current === '' && place.read() === '') write(text)
    }
  }
  /** Puts text that an earlier page left unsent back into the field. */
  const restore = (unsent: string) => {
    write(unsent)
    setRestored(true)
  }
  return { place, text, write, restore, isRestored, discard }
}
