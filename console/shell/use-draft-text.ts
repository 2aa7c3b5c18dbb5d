import { useRef, useState } from 'react'
import { text as shared } from '../text/en.ts'
import { openDraft } from './drafts.ts'
import { notify } from './toasts/toasts.ts'

/** The text of one field that survives a reload until it is emptied, which the form does when the service has stored it. */
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
  const discard = () => {
    write('')
    // Text that was typed since then is newer than the discarded one.
    notify(shared.common.draft.discarded, { undo: () => latest.current === '' && write(text) })
  }
  return { place, text, write, isRestored, discard }
}
