/** A signed-in user who calls the API over HTTP, as a browser does. */
export class Person {
  readonly #url: string
  readonly #cookie: string

  private constructor(url: string, cookie: string) {
    this.#url = url
    this.#cookie = cookie
  }

  static async signUp(url: string, email = 'ann@example.test', name = 'Ann'): Promise<Person> {
    const answer = await fetch(`${url}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ name, email, password: 'correct horse battery' }),
    })
    if (!answer.ok) throw new Error(`sign-up answered ${answer.status}: ${await answer.text()}`)
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    return new Person(url, cookies.join('; '))
  }

  /** Returns the session as cookies for a browser. */
  get cookies() {
    const { hostname: domain } = new URL(this.#url)
    const kind = { path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const }
    return this.#cookie.split('; ').map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return { name, value: value.join('='), domain, ...kind }
    })
  }

  async accept(invitationId: string): Promise<void> {
    const answer = await fetch(`${this.#url}/api/auth/organization/accept-invitation`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: this.#cookie, origin: this.#url },
      body: JSON.stringify({ invitationId }),
    })
    if (!answer.ok) throw new Error(`accepting answered ${answer.status}: ${await answer.text()}`)
  }

  /** Returns the same session at another process of the service. */
  at(url: string): Person {
    return new Person(url, this.#cookie)
  }

  request(route: string, body?: object, headers: Record<string, string> = {}): Promise<Response> {
    const [method = 'GET', path = '/'] = route.split(' ')
    return fetch(`${this.#url}/api/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', cookie: this.#cookie, origin: this.#url, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  /** Returns the `data` of a successful response. Throws the code and message of any other response. */
  async call<T = Record<string, unknown>>(route: string, body?: object): Promise<T> {
    const answer = await this.request(route, body)
    const envelope = (await answer.json()) as {
      ok: boolean
      data: T
      error?: { code: string; message: string }
    }
    if (!envelope.ok) throw new Error(`${route}: ${envelope.error?.code}: ${envelope.error?.message}`)
    return envelope.data
  }
}
