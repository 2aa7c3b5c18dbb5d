import type { SandboxBinding } from './options.ts'
import { standInsFor } from './stand-ins.ts'

/**
 * Stand-ins for the queue, Analytics Engine, the browser rendering and the video service. They store an app's messages until a test reads
 * them. A job runs only when a test delivers it.
 */
export const JOBS_SOURCE = `import { RpcTarget, WorkerEntrypoint } from 'cloudflare:workers'
const messagesOfQueue = { jobs: [], dead: [] }
const dataPoints = []
const takeMessages = (name) => messagesOfQueue[name].splice(0)
// Stores the JSON text of a message, as the provider does.
const storeMessages = (name, bodies) => void messagesOfQueue[name].push(...bodies.map((body) => JSON.stringify(body)))
export class Jobs extends WorkerEntrypoint {
  send(body) { storeMessages('jobs', [body]) }
  sendBatch(messages) { storeMessages('jobs', messages.map(({ body }) => body)) }
}
export class DeadJobs extends WorkerEntrypoint {
  send(body) { storeMessages('dead', [body]) }
}
export class Events extends WorkerEntrypoint {
  writeDataPoint(point) { dataPoints.push(point) }
}
const renderCalls = []
const RENDER_RESULTS = {
  pdf: '%PDF-1.4 of a test',
  screenshot: 'PNG of a test',
  markdown: JSON.stringify({ success: true, result: 'The page of a test.' }),
  content: JSON.stringify({ success: true, result: '<p>The page of a test.</p>' }),
}
export class Browser extends WorkerEntrypoint {
  quickAction(action, { url, html }) {
    renderCalls.push({ action: action === 'content' ? 'html' : action, ...(url === undefined ? { html } : { url }) })
    return new Response(RENDER_RESULTS[action])
  }
}
// A stand-in for the video service, in which every upload is a video of five seconds.
class Video extends RpcTarget {
  #id
  constructor(id) {
    super()
    this.#id = id
  }
  details() {
    const at = 'https://customer-test.cloudflarestream.com/' + this.#id
    return { status: { state: 'ready' }, duration: 5, thumbnail: at + '/thumbnails/thumbnail.jpg', preview: at + '/watch' }
  }
  generateToken() { return 'token-' + this.#id }
  delete() {}
}
export class Stream extends WorkerEntrypoint {
  createDirectUpload() {
    const id = crypto.randomUUID()
    return { id, uploadURL: 'https://upload.videodelivery.net/' + id }
  }
  video(id) { return new Video(id) }
}
export class Box extends WorkerEntrypoint {
  take(name) { return takeMessages(name) }
  points() { return dataPoints }
  renders() { return renderCalls }
}
export default {
  fetch(request) {
    const name = new URL(request.url).pathname.slice(1)
    return Response.json(name === 'events' ? dataPoints.splice(0) : takeMessages(name))
  },
}
`

/** The bindings of the worker with the app's tests, for the capabilities that are enabled. */
export const testBindings = (enabled: readonly string[]): Record<string, SandboxBinding> => ({
  APP: { type: 'worker', worker: 'app' },
  HANDLERS: { type: 'worker', worker: 'app', exportName: 'Handlers' },
  APP_JOBS: { type: 'worker', worker: 'app', exportName: 'Jobs' },
  BOX: { type: 'worker', worker: 'jobs', exportName: 'Box' },
  ...(enabled.length > 0 && OBJECT_BINDINGS),
  ...Object.assign({}, ...standInsFor(enabled).map(({ tests }) => tests)),
  APP_CAPABILITIES: { type: 'text', value: JSON.stringify(enabled) },
})

const OBJECT_BINDINGS = {
  LIVE: { type: 'worker' as const, worker: 'live', exportName: 'Production' },
  OPERATOR: { type: 'worker' as const, worker: 'live', exportName: 'Operator' },
}

/** With this flag a worker can call the queue handler of another worker. */
export const TEST_FLAGS = ['service_binding_extra_handlers']
