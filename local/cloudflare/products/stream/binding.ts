import { SHIMS_WORKER, type Shim } from '../../runtime/shims/rpc-handlers.ts'
import type { BindingKind } from '../binding.ts'

export const streamBinding: BindingKind = {
  types: ['stream'],
  usesShims: true,
  env: (_binding, { script }) => ({
    type: 'worker',
    worker: SHIMS_WORKER,
    exportName: 'Stream',
    props: { accountId: script.accountId },
  }),
}

/** Stream, in the words of the provider's binding; captions, downloads and watermarks are not part of it here. */
export const streamShim: Shim = {
  className: 'Stream',
  source: `
import { RpcTarget, WorkerEntrypoint } from 'cloudflare:workers'
import { ask } from './ask.js'

async function call(entrypoint, path, method = 'GET', value) {
  const body = value === undefined ? undefined : JSON.stringify(value)
  const answer = await ask(entrypoint, 'stream', path, { method, body })
  const result = await answer.json()
  if (!answer.ok) throw Object.assign(new Error(result.message), { name: 'StreamError' })
  return result
}

class Video extends RpcTarget {
  #entrypoint
  #id
  constructor(entrypoint, id) {
    super()
    this.#entrypoint = entrypoint
    this.#id = encodeURIComponent(id)
  }
  details() { return call(this.#entrypoint, '/' + this.#id) }
  update(wish) { return call(this.#entrypoint, '/' + this.#id, 'POST', wish) }
  async delete() { await call(this.#entrypoint, '/' + this.#id, 'DELETE') }
  generateToken() { return call(this.#entrypoint, '/' + this.#id + '/token', 'POST', {}) }
}

class Videos extends RpcTarget {
  #entrypoint
  constructor(entrypoint) {
    super()
    this.#entrypoint = entrypoint
  }
  list() { return call(this.#entrypoint, '/list') }
}

export class Stream extends WorkerEntrypoint {
  createDirectUpload(wish) { return call(this, '/create', 'POST', wish) }
  video(id) { return new Video(this, id) }
  get videos() { return new Videos(this) }
}
`,
}
