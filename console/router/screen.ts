import { ConnectionError } from '@slipway/sdk/errors.ts'
import { lazyRouteComponent } from '@tanstack/react-router'
import { loadLater } from '../later.ts'

/**
 * A screen that is fetched when somebody goes there. While the service is away its page says so and tries again;
 * the router's own answer, loading the whole page anew, is left for a console that is no longer served.
 */
export const firstScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => load().catch(throwOutage), name)

/** The same for a screen that needs more styles than app.css has: it never shows without them. */
export const lazyScreen: typeof lazyRouteComponent = (load, name) =>
  firstScreen(async () => {
    const [screen] = await Promise.all([load(), loadLater()])
    return screen
  }, name)

/** Throws a `ConnectionError` in place of what a failed import throws while the service is away. */
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
