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
    onCaptured: (ticket: Ticket) => void
    onSettled: (sentence: string, isCaptured: boolean) => void
  },
) {
  const client = useQueryClient()
  const attempt = useRef<{ sentence: string; key: string } | null>(null)
  return useMutation({
    mutationKey: captureKeyOf(projectId),
    mutationFn: (sentence: string) => {
      if (attempt.current?.sentence !== sentence) attempt.current = { sentence, key: crypto.randomUUID() }
      return captureTicket(projectId, sentence, attempt.current.key)
    },
    onSuccess: (ticket) => {
      attempt.current = null
      putNewTicket(client, projectId, ticket)
      on.onCaptured(ticket)
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
