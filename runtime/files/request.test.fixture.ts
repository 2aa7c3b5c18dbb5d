const original = globalThis.XMLHttpRequest

/** Stands in for `XMLHttpRequest`: keeps what was sent, and the test answers it. */
export class FakeRequest extends EventTarget {
  static sent: FakeRequest[] = []
  /** Answers a request as soon as it is sent; null leaves it to the test. */
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

/** Opens uploads in parts of `partBytes` each; null for uploads in one request. Leaves the other requests to the test. */
export function openUploads(partBytes: number | null): void {
  FakeRequest.install()
  FakeRequest.answer = ({ line }) =>
    line === 'POST /_app/files' ? { id: 'f1', token: 'a token', partBytes } : undefined
}
