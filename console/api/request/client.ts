import { client } from '@slipway/sdk/client/client.gen.ts'
import { createTransport, unwrap } from '@slipway/sdk/request.ts'
import { recordFailure } from './failure-ring.ts'
import { whileSignedIn } from './signed-in.ts'

/**
 * Returns the `fetch` of the console's API calls. The service responds to a request to ship after 60 s at
 * most, so the usual timeout is longer than that. A response with a `Retry-After` of more than 4 s is thrown
 * as an error instead of retried, and the page shows a countdown.
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

/** The `fetch` for rendering a page of an app. Its timeout is longer than the service waits for the slowest page. */
export const sendRender = sendWithin(150_000)

/** The `fetch` for a backup of the code. Its timeout is longer than the service works on one, which is 120 s at most. */
export const sendBackup = sendWithin(150_000)

/** The `fetch` for downloads. Its timeout includes the time to read the body, which may be hours. */
export const sendDownload = sendWithin(24 * 3_600_000)

export { unwrap as call }
