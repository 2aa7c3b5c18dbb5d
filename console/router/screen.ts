import { ConnectionError } from '@slipway/sdk/errors.ts'
import { lazyRouteComponent } from '@tanstack/react-router'
import { loadDeferred } from '../deferred.ts'

/**
 * A screen whose code is loaded on its first visit. While the service is down, the page says so and retries.
 * When the code no longer exists, because a newer console was deployed, the router reloads the whole page.
 */
export const firstScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => load().catch(throwOutage), name)

/** Like `firstScreen`, for a screen that needs more styles than app.css has. The screen is shown once these styles are loaded. */
export const lazyScreen: typeof lazyRouteComponent = (load, name) =>
  firstScreen(async () => {
    const [screen] = await Promise.all([load(), loadDeferred()])
    return screen
  }, name)

/** While the service is down, throws a `ConnectionError` in place of the error of the failed import. */
async function throwOutage(error: unknown): Promise<never> {
  throw (await isServed()) ? error : new ConnectionError('The service did not respond.', { cause: error })
}

async function isServed(): Promise<boolean> {
  try {
    return (await fetch('/health', { cache: 'no-store' })).ok
  } catch {
    return false
  }
}
