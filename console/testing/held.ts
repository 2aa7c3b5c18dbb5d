import assert from 'node:assert/strict'
import { notifyManager } from '@tanstack/react-query'
import { act, waitFor } from '@testing-library/react'
import { queryClient } from '../api/request/query-client.ts'
import { type Responder, sent, serve } from './console.tsx'

/** A fake of the service that responds to the request `key` only when `respond` is called. */
export function serveHeld(key: string, response: unknown, answers: Record<string, Responder> = {}) {
  const held = Promise.withResolvers<void>()
  const calls = serve({ ...answers, [key]: () => held.promise.then(() => response) })
  return {
    isAsked: () => waitFor(() => assert.equal(calls[key]?.length, 1)),
    /** The bodies of the received requests `key`. */
    sent: () => sent(calls, key),
    respond: () => {
      held.resolve()
      return untilIdle()
    },
  }
}

/** Waits until every request has its response on screen. Call it before asserting that a late response changed nothing. */
export async function untilIdle(): Promise<void> {
  await waitFor(() => assert.equal(queryClient.isFetching() + queryClient.isMutating(), 0))
  await act(() => new Promise<void>((resolve) => notifyManager.schedule(resolve)))
}
