import assert from 'node:assert/strict'
import { waitFor } from '@testing-library/react'
import { type Answer, sent, serve, untilSent } from './console.tsx'

/** A fake of the service that responds to the request `key` only when `respond` is called. */
export function serveHeld(key: string, response: unknown, answers: Record<string, Answer> = {}) {
  const held = Promise.withResolvers<void>()
  const calls = serve({ ...answers, [key]: () => held.promise.then(() => response) })
  return {
    isAsked: () => waitFor(() => assert.equal(calls[key]?.length, 1)),
    /** The bodies of the received requests `key`. */
    sent: () => sent(calls, key),
    respond: async () => {
      held.resolve()
      await untilSent()
      await untilSent()
    },
  }
}
