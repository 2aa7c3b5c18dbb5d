import { onFailedCall } from './api/request/failure-ring.ts'
import { queryClient } from './api/request/query-client.ts'

/** A busy page gets what follows after this time, and one whose queries are never answered after the second. */
const IDLE_MS_MAX = 1000
const WAIT_MS_MAX = 10_000

const { promise, resolve } = Promise.withResolvers<void>()

/**
 * Resolves when the first view is complete: its queries are answered and the browser is idle. Everything that view
 * does not need is fetched then. A person who acts earlier does not wait. A failed call ends the waiting too: its query
 * is repeated for as long as the service is away.
 */
export const afterFirstView = (): Promise<void> => promise

/** Begins to watch, once the first page has rendered. */
export function watchFirstView(onRendered: (listener: () => void) => void): void {
  for (const act of ['keydown', 'pointerdown'])
    addEventListener(act, () => resolve(), { capture: true, once: true })
  onFailedCall(() => resolve())
  setTimeout(resolve, WAIT_MS_MAX)
  onRendered(() => void whenSettled().then(resolve))
}

/** An answer can lead to one more query, which starts before the browser is idle again. */
async function whenSettled(): Promise<void> {
  await whenIdle()
  while (queryClient.isFetching() > 0) {
    await whenAnswered()
    await whenIdle()
  }
}

function whenAnswered(): Promise<void> {
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
    // Safari knows no idle time.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(idle, { timeout: IDLE_MS_MAX })
    else setTimeout(idle, 200)
  })
