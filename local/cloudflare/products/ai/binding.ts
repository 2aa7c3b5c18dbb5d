import { SHIMS_WORKER, type Shim } from '../../workerd/rpc.ts'
import type { BindingKind } from '../binding.ts'

/**
 * The `AI` binding. The runtime has no local models, so a shim sends each call to this service, which runs it with the configured model
 * server.
 */
export const aiBinding: BindingKind = {
  types: ['ai'],
  usesShims: true,
  env: (_binding, { script }) => ({
    type: 'worker',
    worker: SHIMS_WORKER,
    exportName: 'Ai',
    props: { accountId: script.accountId },
  }),
}

/** Runs models and returns values or streams, like Cloudflare's AI binding. */
export const aiShim: Shim = {
  className: 'Ai',
  source: `
import { RpcTarget, WorkerEntrypoint } from 'cloudflare:workers'
import { ask } from './ask.js'

class Gateway extends RpcTarget {
  #worker
  #id
  constructor(worker, id) {
    super()
    this.#worker = worker
    this.#id = id
  }
  run(request) {
    const body = JSON.stringify({ id: this.#id, requests: [request].flat() })
    return ask(this.#worker, 'ai', '/gateway', { method: 'POST', body })
  }
}

export class Ai extends WorkerEntrypoint {
  async run(model, inputs, options = {}) {
    const body = JSON.stringify({ model, inputs, gateway: options.gateway ?? null })
    const answer = await ask(this, 'ai', '/run', { method: 'POST', body })
    if (!answer.ok) {
      const { message } = await answer.json()
      throw Object.assign(new Error(message), { name: 'AiError' })
    }
    if (options.returnRawResponse === true) return answer
    const isStream = (answer.headers.get('content-type') ?? '').startsWith('text/event-stream')
    return isStream ? answer.body : await answer.json()
  }
  gateway(id) {
    return new Gateway(this, id)
  }
  async models() {
    return (await ask(this, 'ai', '/models')).json()
  }
}
`,
}
