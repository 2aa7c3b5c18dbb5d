import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { captureTicket } from '../../../api/project/tickets.ts'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { holdTabLock } from '../../../lib/tab-lock.ts'
import { cacheNewTicket } from '../../../state/tickets/ticket-cache.ts'

/** The key of the requests that capture a ticket of this project. */
export const captureKeyOf = (projectId: string) => ['capture', projectId]

/** A sentence to capture, and the id of its draft. */
export interface SentSentence {
  text: string
  draftId: string | null
}

/**
 * Captures a sentence as a ticket. The id of the draft is the idempotency key, so neither a retry nor another tab that sends the same draft
 * creates a second ticket.
 */
export function useCapture(
  projectId: string,
  on: {
    lockName: string | null
    onCaptured: (ticket: Ticket, sentence: string) => void
    onSettled: (sentence: string, isCaptured: boolean) => void
  },
) {
  const client = useQueryClient()
  /** The idempotency keys of the sentences that are not captured yet, by sentence. */
  const keys = useRef(new Map<string, string>())
  return useMutation({
    mutationKey: captureKeyOf(projectId),
    mutationFn: ({ text, draftId }: SentSentence) => {
      const key = keys.current.get(text) ?? draftId ?? crypto.randomUUID()
      keys.current.set(text, key)
      const capturing = captureTicket(projectId, text, key)
      holdTabLock(on.lockName, capturing)
      return capturing
    },
    onSuccess: (ticket, { text }) => {
      keys.current.delete(text)
      cacheNewTicket(client, projectId, ticket)
      on.onCaptured(ticket, text)
    },
    onSettled: (_ticket, error, { text }) => on.onSettled(text, error === null),
  })
}

/** The sentences that are being captured, shown until their tickets exist. */
export function usePendingSentences(projectId: string): string[] {
  return useMutationState({
    filters: { mutationKey: captureKeyOf(projectId), status: 'pending' },
    select: (mutation) => (mutation.state.variables as SentSentence).text,
  })
}
