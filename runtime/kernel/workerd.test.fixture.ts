import { registerHooks } from 'node:module'

/** Only workerd has the module `cloudflare:workers`. Here it has no bindings, and its classes only store what they are given. */
const WORKERD = `data:text/javascript,${encodeURIComponent(`
  class Base { constructor(ctx, env) { this.ctx = ctx; this.env = env } }
  export const env = {}
  export const waitUntil = () => {}
  export { Base as DurableObject, Base as WorkerEntrypoint, Base as WorkflowEntrypoint }`)}`

/** Imports modules that use `cloudflare:workers`. What they import later is not covered. */
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
