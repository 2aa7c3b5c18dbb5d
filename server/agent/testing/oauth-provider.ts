import { createHash, randomUUID } from 'node:crypto'

/** Somebody with an account at the provider. */
export interface ProviderAccount {
  sub: string
  email: string
  email_verified: boolean
  name: string
}

interface Grant {
  account: ProviderAccount
  challenge: string
  redirectUri: string
  nonce: string | null
}

/** A provider that people sign in with: it checks what a real one checks, and keeps what it was sent. */
export class TestProvider {
  readonly origin = 'https://oauth.slipway.test'
  readonly #clientId: string
  readonly #secret: string
  readonly #grants = new Map<string, Grant>()
  readonly #tokens = new Map<string, ProviderAccount>()
  /** Changes the claims of the next id token. */
  forge: Record<string, unknown> = {}
  readonly received: string[] = []

  constructor(clientId: string, secret: string) {
    this.#clientId = clientId
    this.#secret = secret
  }

  get addresses() {
    const { origin } = this
    return { authorizeUrl: `${origin}/authorize`, tokenUrl: `${origin}/token`, userInfoUrl: `${origin}/me` }
  }

  /** What its page does once somebody has agreed: returns where the browser is sent. */
  authorize(address: string, account: ProviderAccount): string {
    const query = new URL(address).searchParams
    const get = (name: string) => query.get(name) ?? ''
    if (get('client_id') !== this.#clientId || get('code_challenge_method') !== 'S256')
      throw new Error('the provider does not know this app')
    const code = randomUUID()
    const redirectUri = get('redirect_uri')
    const challenge = get('code_challenge')
    this.#grants.set(code, { account, challenge, redirectUri, nonce: query.get('nonce') })
    const back = new URL(redirectUri)
    back.searchParams.set('code', code)
    back.searchParams.set('state', get('state'))
    return back.href
  }

  /** Answers the app's server. */
  async answer(request: { url: string; headers: Headers; body: string }): Promise<Response> {
    const { pathname } = new URL(request.url)
    this.received.push(request.body)
    if (pathname === '/token') return this.#token(new URLSearchParams(request.body))
    const token = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
    const account = this.#tokens.get(token)
    return account === undefined ? Response.json({}, { status: 401 }) : Response.json(account)
  }

  #token(form: URLSearchParams): Response {
    const code = form.get('code') ?? ''
    const grant = this.#grants.get(code)
    this.#grants.delete(code)
    const verifier = form.get('code_verifier') ?? ''
    const isRight =
      form.get('client_secret') === this.#secret &&
      form.get('redirect_uri') === grant?.redirectUri &&
      createHash('sha256').update(verifier).digest('base64url') === grant.challenge
    if (grant === undefined || !isRight) return Response.json({ error: 'invalid_grant' }, { status: 400 })
    const token = randomUUID()
    this.#tokens.set(token, grant.account)
    const exp = Math.floor(Date.now() / 1000) + 300
    const { nonce, account } = grant
    const claims = { ...account, iss: this.origin, aud: this.#clientId, exp, nonce, ...this.forge }
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const idToken = `${part({ alg: 'none' })}.${part(claims)}.`
    return Response.json({ access_token: token, token_type: 'Bearer', id_token: idToken })
  }
}
