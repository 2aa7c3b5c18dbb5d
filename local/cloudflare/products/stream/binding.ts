import { SHIMS_WORKER, type Shim } from '../../workerd/rpc.ts'
import type { BindingKind } from '../binding.ts'

/** The Stream binding. A shim sends each call to this service, which stores the videos. */
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

/** The provider's Stream binding without captions, downloads and watermarks. */
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
  update(input) { return call(this.#entrypoint, '/' + this.#id, 'POST', input) }
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
  createDirectUpload(input) { return call(this, '/create', 'POST', input) }
  video(id) { return new Video(this, id) }
  get videos() { return new Videos(this) }
}
`,
}
