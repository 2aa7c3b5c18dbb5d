import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { unlessTabLocked } from '../../../lib/tab-lock.ts'
import { type Draft, openDraft } from '../../../shell/drafts.ts'
import { useDraftText } from '../../../shell/use-draft-text.ts'
import { captureKeyOf, type SentSentence } from '../list/use-capture.ts'

/**
 * The sentence in the field for a new ticket, and the sentences that are being captured. The field is empty during a request, but the
 * sentence stays stored until the service has responded: after a crash it is in the field again. A sentence that another tab sends
 * disappears from the field.
 */
export function useCaptureField(projectId: string) {
  const client = useQueryClient()
  const [sending] = useState(() => openDraft('ticket-sending', projectId))
  const field = useDraftText('ticket', projectId)
  const restoreUnsent = useEffectEvent(() => {
    const unsent = sending.read()
    if (unsent === '') return
    sending.store('')
    field.restore(joinLines(unsent, field.text))
  })
  const onStored = useEffectEvent((event: StorageEvent) => {
    const sentence = field.text.trim()
    if (event.key === sending.key && sentence !== '' && hasLines(sending.read(), sentence)) field.write('')
  })
  useEffect(() => {
    let isOpen = true
    // A sentence is stored here without a request of this or another tab only when a page was left during the request.
    if (client.isMutating({ mutationKey: captureKeyOf(projectId) }) === 0)
      unlessTabLocked(sending.key, () => isOpen && restoreUnsent())
    const listen = (event: StorageEvent) => onStored(event)
    addEventListener('storage', listen)
    return () => {
      isOpen = false
      removeEventListener('storage', listen)
    }
  }, [client, projectId, sending])
  return {
    ...field,
    /** The lock that a tab holds while it sends a sentence. */
    lockName: sending.key,
    /** Empties the field and returns the sentence to send. */
    send: (): SentSentence => {
      const text = field.text.trim()
      const sentence = { text, draftId: field.place.idOf(field.text) }
      sending.store(joinLines(sending.read(), text))
      field.write('')
      return sentence
    },
    /**
     * Forgets a captured sentence. Puts a refused sentence back into the field, above text typed since then, even after the box was
     * unmounted.
     */
    settle: (sentence: string, isCaptured: boolean) => {
      removeLines(sending, sentence)
      if (!isCaptured) field.write(joinLines(sentence, field.place.read() || field.text))
    },
  }
}

const joinLines = (...texts: string[]) => texts.filter((text) => text !== '').join('\n')

const hasLines = (lines: string, text: string) => `\n${lines}\n`.includes(`\n${text}\n`)

function removeLines(draft: Draft, sentence: string): void {
  const lines = `\n${draft.read()}\n`.replace(`\n${sentence}\n`, () => '\n')
  draft.store(lines.slice(1, -1))
}
