import { LOCAL_CLIENT, OauthProvider, type ProviderAccount } from '../../../local/oauth/provider.ts'

/**
 * The local cloud's stand-in for an OAuth provider, run in the process of a test. The provider records all requests,
 * and a test can make it return wrong or failed responses.
 */
export class TestProvider {
  readonly client = LOCAL_CLIENT
  readonly #provider = new OauthProvider(Date.now)
  /** Claims that replace claims of the next id tokens. */
  forge: Record<string, unknown> = {}
  readonly received: string[] = []
  readonly issued: string[] = []
  /** Fields that replace fields of the next token responses. A field set to undefined is removed. */
  change: Record<string, unknown> = {}
  /** Status with which every request is refused; null refuses no request. */
  refuses: number | null = null
  /** Status with which calls of the provider's API are refused; null refuses no call. */
  refusesCalls: number | null = null
  /** Tokens that the provider refuses, as if they had expired earlier than announced. */
  ended: ReadonlySet<string> = new Set()

  get issuer() {
    return this.#provider.issuer
  }

  get addresses() {
    return { authorizeUrl: `${this.issuer}/authorize`, ...this.#provider.addresses }
  }

  /** The provider's endpoints, for an app that connects accounts. */
  get service() {
    return { authorizeUrl: `${this.issuer}/authorize`, ...this.#provider.service }
  }

  /** Gives the person's consent. Returns the address to which the provider then redirects. */
  authorize(address: string, account: ProviderAccount): string {
    return this.#provider.grantConsent(new URL(address).searchParams, account)
  }

  /** Revokes the grant of the last issued token, as a person can on the provider's page. */
  async endLastGrant(): Promise<void> {
    const body = new URLSearchParams({ token: this.issued.at(-1) ?? '' })
    await this.#provider.answer(new Request(this.service.revokeUrl, { method: 'POST', body }))
  }

  async answer({ url, method, headers, body }: AppRequest): Promise<Response> {
    this.received.push(body)
    if (this.ended.has((headers.get('authorization') ?? '').replace('Bearer ', '')))
      return Response.json({ error: 'invalid_token' }, { status: 401 })
    if (this.refuses !== null) return Response.json({ error: 'server_error' }, { status: this.refuses })
    if (this.refusesCalls !== null && url.startsWith(this.service.apiBase))
      return Response.json({ error: 'refused' }, { status: this.refusesCalls })
    const answer = await this.#provider.answer(
      new Request(url, { method, headers, ...(method === 'POST' && { body }) }),
    )
    const text = await answer.text()
    const fields = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
    if (typeof fields['access_token'] === 'string') Object.assign(fields, this.change)
    for (const name of ['access_token', 'refresh_token'])
      if (typeof fields[name] === 'string') this.issued.push(fields[name])
    if (typeof fields['id_token'] === 'string') fields['id_token'] = this.#forged(fields['id_token'])
    return Response.json(fields, { status: answer.status })
  }

  /**
   * Replaces claims of an id token and keeps the signature, which is then wrong. The app does not verify the signature,
   * because it fetches the token directly from the provider.
   */
  #forged(token: string): string {
    const [header = '', payload = '', signature = ''] = token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
    const forged = Buffer.from(JSON.stringify({ ...claims, ...this.forge })).toString('base64url')
    return `${header}.${forged}.${signature}`
  }
}

interface AppRequest {
  url: string
  method: string
  headers: Headers
  body: string
}
