import { client } from '@slipway/sdk/client/client.gen.ts'
import { createTransport, unwrap } from '@slipway/sdk/request.ts'
import { noteFailure } from './failure-ring.ts'
import { whileSignedIn } from './signed-in.ts'

/**
 * How every call of the console is sent: same origin, with the session's cookie. Shipping answers after at
 * most 60 s, so the time-out lies above that; a longer `Retry-After` becomes a message with a countdown.
 */
const transport = createTransport({
  timeoutMs: 75_000,
  maxRetries: 2,
  maxWaitMs: 4_000,
  onFailure: noteFailure,
})

client.setConfig({
  baseUrl: location.origin,
  credentials: 'same-origin',
  throwOnError: true,
  // The generated client hands over a finished request and nothing else.
  fetch: (input) => {
    const request = input as Request
    return whileSignedIn(request.method === 'GET', () => transport(request))
  },
})

export { unwrap as call }
