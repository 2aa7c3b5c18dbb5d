import { generateKeyPairSync } from 'node:crypto'

/** The push service of a checked app: keeps every notification, encrypted as it came, until a test reads it. */
export const PUSH_SOURCE = `import { WorkerEntrypoint } from 'cloudflare:workers'
const kept = []
export class Pushes extends WorkerEntrypoint {
  list() { return kept }
}
export default {
  async fetch(request) {
    const { host } = new URL(request.url)
    if (host !== 'push.slipway.test') throw new Error('The network is off while an app is checked (' + host + ').')
    kept.push({ endpoint: request.url, message: new Uint8Array(await request.arrayBuffer()) })
    return new Response(null, { status: 201 })
  },
}
`

let key: string | null = null

/** The key that a checked app sends notifications with. Made once: nothing outlives a check. */
export function checkVapidKey(): string {
  key ??= generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    .privateKey.export({ type: 'pkcs8', format: 'der' })
    .toString('base64url')
  return key
}
