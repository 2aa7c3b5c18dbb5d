import { ConnectionError } from '@slipway/sdk/errors.ts'
import { lazyRouteComponent } from '@tanstack/react-router'
import { loadDeferred } from '../deferred.ts'

/**
 * A screen that is loaded on its first visit. While the service is down its page shows that and retries. The
 * router's own fallback, a reload of the whole page, remains for an outdated console.
 */
export const firstScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => load().catch(throwOutage), name)

/** The same for a screen that needs more styles than app.css has: it waits for them. */
export const lazyScreen: typeof lazyRouteComponent = (load, name) =>
  firstScreen(async () => {
    const [screen] = await Promise.all([load(), loadDeferred()])
    return screen
  }, name)

/** Throws a `ConnectionError` instead of the failed import's error while the service is down. */
async function throwOutage(error: unknown): Promise<never> {
  throw (await isServed()) ? error : new ConnectionError('The service did not answer.', { cause: error })
}

async function isServed(): Promise<boolean> {
  try {
    return (await fetch('/health', { cache: 'no-store' })).ok
  } catch {
    return false
  }
}
