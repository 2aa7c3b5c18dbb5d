import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { captureTicket } from '../../../api/project/tickets.ts'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { putNewTicket } from '../../../state/tickets/ticket-cache.ts'

/** The key of the requests that capture a ticket of this project. */
export const captureKeyOf = (projectId: string) => ['capture', projectId]

/** Captures a sentence as a ticket. Retrying the same sentence creates no second ticket. */
export function useCapture(
  projectId: string,
  on: {
    onCaptured: (ticket: Ticket, sentence: string) => void
    onSettled: (sentence: string, isCaptured: boolean) => void
  },
) {
  const client = useQueryClient()
  /** The idempotency keys of the sentences that are not captured yet, by sentence. */
  const keys = useRef(new Map<string, string>())
  return useMutation({
    mutationKey: captureKeyOf(projectId),
    mutationFn: (sentence: string) => {
      const key = keys.current.get(sentence) ?? crypto.randomUUID()
      keys.current.set(sentence, key)
      return captureTicket(projectId, sentence, key)
    },
    onSuccess: (ticket, sentence) => {
      keys.current.delete(sentence)
      putNewTicket(client, projectId, ticket)
      on.onCaptured(ticket, sentence)
    },
    onSettled: (_ticket, error, sentence) => on.onSettled(sentence, error === null),
  })
}

/** The sentences that are being captured, shown until their tickets exist. */
export function usePendingSentences(projectId: string): string[] {
  return useMutationState({
    filters: { mutationKey: captureKeyOf(projectId), status: 'pending' },
    select: (mutation) => String(mutation.state.variables),
  })
}
