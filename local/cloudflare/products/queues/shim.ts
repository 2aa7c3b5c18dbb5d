import type { Shim } from '../../runtime/shims/shim.ts'

/**
 * Serves the runtime's own queue binding: what `send` takes, how it writes values down and what it refuses is the
 * real thing; only the keeping is ours.
 */
export const queueProducer: Shim = {
  className: 'QueueProducer',
  source: `
import { WorkerEntrypoint } from 'cloudflare:workers'
import { ask } from './ask.js'
export class QueueProducer extends WorkerEntrypoint {
  async fetch(request) {
    const { method, headers } = request
    const body = method === 'POST' ? await request.arrayBuffer() : undefined
    return ask(this, 'queues', new URL(request.url).pathname, { method, headers, body })
  }
}
`,
}
