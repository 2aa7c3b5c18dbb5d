import { generateKeyPairSync } from 'node:crypto'

/**
 * Stand-ins for providers that a checked app calls. The push service stores each notification, still encrypted, for the tests to read. The
 * bot-protection service accepts each test token once.
 */
export const PROVIDERS_SOURCE = `import { WorkerEntrypoint } from 'cloudflare:workers'
const sentPushes = []
const usedTokenIds = new Set()
export class Pushes extends WorkerEntrypoint {
  list() { return sentPushes }
}
function verdictOf(token) {
  const text = token.split('.').at(-1).replaceAll('-', '+').replaceAll('_', '/')
  const { action, hostname, id } = JSON.parse(atob(text))
  if (usedTokenIds.has(id)) return { success: false, 'error-codes': ['timeout-or-duplicate'] }
  usedTokenIds.add(id)
  return { success: true, action, hostname, 'error-codes': [] }
}
export default {
  async fetch(request) {
    const { host } = new URL(request.url)
    if (host === 'challenges.cloudflare.com') return Response.json(verdictOf((await request.json()).response))
    if (host !== 'push.slipway.test') throw new Error('The network is off while an app is checked (' + host + ').')
    sentPushes.push({ endpoint: request.url, message: new Uint8Array(await request.arrayBuffer()) })
    return new Response(null, { status: 201 })
  },
}
`

/** The bot-protection keys of a checked app, in the format of Turnstile's published test keys. */
export const CHECK_WIDGET = {
  GUARD_SITE_KEY: { type: 'text' as const, value: '1x00000000000000000000AA' },
  GUARD_SECRET: { type: 'text' as const, value: '1x0000000000000000000000000000000AA' },
}

let testKey: string | null = null

/**
 * Returns the key with which a checked app signs notifications. One key per process is enough, because no notification
 * outlives the check.
 */
export function checkVapidKey(): string {
  testKey ??= generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    .privateKey.export({ type: 'pkcs8', format: 'der' })
    .toString('base64url')
  return testKey
}
