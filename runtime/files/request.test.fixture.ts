const original = globalThis.XMLHttpRequest

/** Replaces `XMLHttpRequest`: records each request, and the test responds to it. */
export class FakeRequest extends EventTarget {
  static sent: FakeRequest[] = []
  /** Returns the response to a request as soon as it is sent. While this is null, the test responds itself. */
  static answer: ((request: FakeRequest) => unknown) | null = null

  /** Replaces `XMLHttpRequest` until `uninstall`. */
  static install(): void {
    FakeRequest.sent = []
    Object.assign(globalThis, { XMLHttpRequest: FakeRequest })
  }

  static uninstall(): void {
    Object.assign(globalThis, { XMLHttpRequest: original })
  }

  readonly upload = new EventTarget()
  readonly headers: Record<string, string> = {}
  line = ''
  responseText = ''
  body: Blob | string | null = null
  isAborted = false

  open(method: string, path: string): void {
    this.line = `${method} ${path}`
  }

  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value
  }

  send(body: Blob | string | null): void {
    this.body = body
    FakeRequest.sent.push(this)
    const answer = FakeRequest.answer?.(this)
    if (answer !== undefined) queueMicrotask(() => this.respond({ ok: true, data: answer }))
  }

  abort(): void {
    this.isAborted = true
    this.#end('abort')
  }

  respond(answer: unknown): void {
    this.responseText = typeof answer === 'string' ? answer : JSON.stringify(answer)
    this.#end('load')
  }

  fail(): void {
    this.#end('error')
  }

  report(loaded: number): void {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded }))
  }

  #end(name: string): void {
    this.dispatchEvent(new Event(name))
    this.dispatchEvent(new Event('loadend'))
  }
}

/**
 * Responds to each upload announcement: with parts of `partBytes`, or for null with one request. The test responds to all other requests.
 */
export function openUploads(partBytes: number | null): void {
  FakeRequest.install()
  FakeRequest.answer = ({ line }) =>
    line === 'POST /_app/files' ? { id: 'f1', token: 'a token', partBytes } : undefined
}
