import { onFailedCall } from './api/request/failure-ring.ts'
import { queryClient } from './api/request/query-client.ts'

/** The longest wait until the browser is idle. */
const IDLE_MS_MAX = 1000
/** The longest wait for the first view, because the queries of a page may never settle. */
const WAIT_MS_MAX = 10_000

const { promise, resolve } = Promise.withResolvers<void>()

/**
 * Resolves when the first view is complete: its queries have settled and the browser is idle. The rest of the console loads then. Resolves
 * earlier on the first key press or click, because the person may need the rest. Also resolves on a failed call, because the failed query
 * is retried for as long as the service is down.
 */
export const afterFirstView = (): Promise<void> => promise

/** Starts to wait for the first view. `onRendered` gets a listener, which it must call after the first render. */
export function watchFirstView(onRendered: (listener: () => void) => void): void {
  for (const act of ['keydown', 'pointerdown'])
    addEventListener(act, () => resolve(), { capture: true, once: true })
  onFailedCall(() => resolve())
  setTimeout(resolve, WAIT_MS_MAX)
  onRendered(() => void whenSettled().then(resolve))
}

/** After the queries have settled, wait until the browser is idle, because a response may start another query. */
async function whenSettled(): Promise<void> {
  await whenIdle()
  while (queryClient.isFetching() > 0) {
    await whenFetched()
    await whenIdle()
  }
}

function whenFetched(): Promise<void> {
  return new Promise((answered) => {
    const stop = queryClient.getQueryCache().subscribe(() => {
      if (queryClient.isFetching() > 0) return
      stop()
      answered()
    })
  })
}

const whenIdle = (): Promise<unknown> =>
  new Promise((idle) => {
    // Safari has no requestIdleCallback, so wait a fixed time there.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(idle, { timeout: IDLE_MS_MAX })
    else setTimeout(idle, 200)
  })
