import { SHIMS_WORKER, type Shim } from '../../workerd/rpc.ts'
import type { BindingKind } from '../binding.ts'

/** The browser binding. A shim sends quick actions to this service, which performs them in a Chromium of this machine. */
export const browserBinding: BindingKind = {
  types: ['browser'],
  usesShims: true,
  env: (_binding, { script }) => ({
    type: 'worker',
    worker: SHIMS_WORKER,
    exportName: 'Browser',
    props: { accountId: script.accountId },
  }),
}

/** The browser binding with quick actions only. Sessions for a remote puppeteer are not supported. */
export const browserShim: Shim = {
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
