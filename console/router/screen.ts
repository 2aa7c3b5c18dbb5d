import { ConnectionError } from '@slipway/sdk/errors.ts'
import { lazyRouteComponent } from '@tanstack/react-router'

/**
 * A screen that is fetched when somebody goes there. While the service is away its page says so and tries again;
 * the router's own answer, loading the whole page anew, is left for a console that is no longer served.
 */
export const lazyScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch(async (error: unknown) => {
        throw (await isServed())
          ? error
          : new ConnectionError('The service did not answer.', { cause: error })
      }),
    name,
  )

async function isServed(): Promise<boolean> {
  try {
    return (await fetch('/health', { cache: 'no-store' })).ok
  } catch {
    return false
  }
}
