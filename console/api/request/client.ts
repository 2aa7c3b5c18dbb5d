import { client } from '@slipway/sdk/client/client.gen.ts'
import { createTransport, unwrap } from '@slipway/sdk/request.ts'
import { recordFailure } from './failure-ring.ts'
import { whileSignedIn } from './signed-in.ts'

/**
 * How every call of the console is sent: same origin, with the session's cookie. Shipping responds after 60 s
 * at most, so the timeout is longer; a longer `Retry-After` becomes a message with a countdown.
 */
const sendWithin = (timeoutMs: number) => {
  const transport = createTransport({ timeoutMs, maxRetries: 2, maxWaitMs: 4_000, onFailure: recordFailure })
  // The generated client passes a finished Request as the only argument.
  return (input: RequestInfo | URL): Promise<Response> => {
    const request = input as Request
    return whileSignedIn(request.method === 'GET', () => transport(request))
  }
}

client.setConfig({
  baseUrl: location.origin,
  credentials: 'same-origin',
  throwOnError: true,
  fetch: sendWithin(75_000),
})

/** For the page of an app that is rendered: longer than the service waits for the slowest one. */
export const sendRender = sendWithin(150_000)

/** For responses that may take hours to arrive: the timeout of other calls includes the body. */
export const sendDownload = sendWithin(24 * 3_600_000)

export { unwrap as call }
