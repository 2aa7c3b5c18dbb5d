import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Draft, openDraft } from '../../../shell/drafts.ts'
import { useDraftText } from '../../../shell/use-draft-text.ts'
import { captureKeyOf } from '../list/use-capture.ts'

/**
 * The sentence in the field for a new ticket, and those that are being captured. The field is empty during a request, but the sentence
 * stays stored until the service has answered: after a crash it is in the field again.
 */
export function useSentence(projectId: string) {
  const client = useQueryClient()
  const [sending] = useState(() => {
    const draft = openDraft('ticket-sending', projectId)
    // Only a page that was left during a request has a sentence here and no request.
    if (client.isMutating({ mutationKey: captureKeyOf(projectId) }) === 0) {
      const unsent = openDraft('ticket', projectId)
      unsent.store(joinLines(draft.read(), unsent.read()))
      draft.store('')
    }
    return draft
  })
  const field = useDraftText('ticket', projectId)
  return {
    ...field,
    /** Empties the field and returns the sentence to send. */
    send: () => {
      const sentence = field.text.trim()
      sending.store(joinLines(sending.read(), sentence))
      field.write('')
      return sentence
    },
    /**
     * Forgets a captured sentence. Puts a refused one back into the field, above the text that was typed since then, also after the box was
     * unmounted.
     */
    settle: (sentence: string, isCaptured: boolean) => {
      removeLines(sending, sentence)
      if (!isCaptured) field.write(joinLines(sentence, field.place.read() || field.text))
    },
  }
}

const joinLines = (...texts: string[]) => texts.filter((text) => text !== '').join('\n')

function removeLines(draft: Draft, sentence: string): void {
  const lines = `\n${draft.read()}\n`.replace(`\n${sentence}\n`, () => '\n')
  draft.store(lines.slice(1, -1))
}
