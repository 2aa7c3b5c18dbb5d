import { registerHooks } from 'node:module'

/**
 * The URL of a module that replaces `cloudflare:workers`, which only workerd has. All tests use the same URL, because test files share a
 * process, and a module keeps the `env` of its first import.
 */
const WORKERD = `data:text/javascript,${encodeURIComponent(`
  class Base { constructor(ctx, env) { this.ctx = ctx; this.env = env } }
  export const env = {}
  export const waitUntil = () => {}
  export { Base as DurableObject, Base as WorkerEntrypoint, Base as WorkflowEntrypoint }`)}`

/** The variables and bindings that the code under test reads from `cloudflare:workers`. A test must remove the values that it sets. */
export const workerEnv = ((await import(WORKERD)) as { env: Record<string, unknown> }).env

/** One list for all tests, changed in place: the code under test reads the binding once and keeps the list. */
const enabledKeys: string[] = []
workerEnv['APP_CAPABILITIES'] = enabledKeys

/** Switches on these capabilities and no others. Without arguments, all are off, as before the test. */
export const enableCapabilities = (...keys: string[]): void => void enabledKeys.splice(0, Infinity, ...keys)

/** Loads modules that import `cloudflare:workers`, directly or through others. */
export async function importInWorkerd<Modules>(load: () => Promise<Modules>): Promise<Modules> {
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      name === 'cloudflare:workers' ? { url: WORKERD, shortCircuit: true } : next(name, context),
  })
  try {
    return await load()
  } finally {
    hooks.deregister()
  }
}
