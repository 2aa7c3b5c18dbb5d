import type { Shim } from '../../runtime/shims/shim.ts'

/** Browser rendering by quick actions; sessions for a remote puppeteer are not part of it here. */
export const browser: Shim = {
  className: 'Browser',
  source: `
import { WorkerEntrypoint } from 'cloudflare:workers'
import { ask } from './ask.js'

export class Browser extends WorkerEntrypoint {
  quickAction(action, options) {
    return ask(this, 'browser', '/' + encodeURIComponent(action), { method: 'POST', body: JSON.stringify(options ?? null) })
  }
  fetch() {
    return new Response('Browser sessions are not available in the local cloud; use quickAction().', { status: 501 })
  }
}
`,
}
