import type { SandboxBinding, SandboxWorker } from './options.ts'

const SERVICES_WORKER = 'services'

/**
 * Stand-ins for the services that a checked app connects to. They return the responses that a test has set, and pass on
 * all other requests.
 */
const SERVICES_SOURCE = `import { WorkerEntrypoint } from 'cloudflare:workers'
const answersByRoute = new Map()
export class Answers extends WorkerEntrypoint {
  set(host, route, status, body) { answersByRoute.set(host + ' ' + route, { status, body }) }
}
export default {
  fetch(request) {
    const { host, pathname } = new URL(request.url)
    if (!/^[a-z0-9-]+\\.test$/.test(host)) return fetch(request)
    const route = request.method + ' ' + pathname
    const found = answersByRoute.get(host + ' ' + route)
    const error = 'Say what it answers: app.answers(<service>, ' + JSON.stringify(route) + ', <body>)'
    return found === undefined
      ? Response.json({ error }, { status: 501 })
      : Response.json(found.body, { status: found.status })
  },
}
`

/** Lets the worker of an app's tests set the responses. */
export const SERVICES_BINDING: SandboxBinding = {
  type: 'worker',
  worker: SERVICES_WORKER,
  exportName: 'Answers',
}

export const servicesWorker = (runtime: Omit<SandboxWorker, 'name' | 'main' | 'modules'>): SandboxWorker => ({
  ...runtime,
  name: SERVICES_WORKER,
  main: 'main.js',
  modules: { 'main.js': SERVICES_SOURCE },
})

/**
 * Returns the settings of the live worker for services that all take an API key instead of OAuth, so that a test needs
 * no OAuth provider.
 */
export function connectSettings(services: readonly string[]): Record<string, SandboxBinding> {
  const text = (value: string): SandboxBinding => ({ type: 'text', value })
  const settings = services.map((id) => [
    `CONNECTION_${id.toUpperCase()}`,
    text(JSON.stringify({ id, kind: 'apiKey', apiBase: `https://${id}.test` })),
  ])
  return { ...Object.fromEntries(settings), CONNECT_VAULT_KEY: text('A'.repeat(43)) }
}
