import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export const CLIENT = { clientId: 'slipway', clientSecret: 'canary-client-secret' }

type Claims = Record<string, unknown>

/** How the issuer deviates from the protocol at its next sign-in. */
export interface Forgery {
  /** Changes claims of the ID token. A claim set to undefined is left out. */
  claims?: Claims
  header?: Claims
  /** Signs the ID token with this key instead. With null the token has no signature. */
  key?: KeyObject | null
  /** Claims that the user info endpoint returns instead of the correct ones. */
  userInfo?: Claims
  /** Leaves the ID token out of the token response. */
  withoutIdToken?: true
}

export interface OidcIssuer {
  origin: string
  person: { sub: string; email: string; name: string }
  forgery: Forgery
  asked: URLSearchParams
  close(): Promise<void>
}

/** A key that is not in the issuer's key document, so a token signed with it must be refused. */
export const foreignKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

/**
 * Starts an OpenID Connect provider on loopback that signs in `person` without a login page. The provider verifies redirect URI, client
 * secret and PKCE, and accepts each authorization code once. `forgery` makes it break the protocol.
 */
export async function openOidcIssuer(): Promise<OidcIssuer> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const codes = new Map<string, URLSearchParams>()
  const server = createServer((request, response) => {
    respondTo(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer: OidcIssuer = {
    origin,
    person: { sub: 'sub-1', email: 'ada@acme.test', name: 'Ada' },
    forgery: {},
    asked: new URLSearchParams(),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }

  const sendJson = (response: ServerResponse, value: unknown, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

  async function respondTo(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? '/', origin)
    if (url.pathname === '/.well-known/openid-configuration')
      return sendJson(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        jwks_uri: `${origin}/jwks`,
        userinfo_endpoint: `${origin}/me`,
      })
    if (url.pathname === '/jwks')
      return sendJson(response, {
        keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }],
      })
    if (url.pathname === '/authorize') {
      issuer.asked = url.searchParams
      const code = randomUUID()
      codes.set(code, url.searchParams)
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({
        code,
        state: url.searchParams.get('state') ?? '',
        iss: origin,
      }).toString()
      return response.writeHead(302, { location: back.href }).end()
    }
    if (url.pathname === '/me') return sendJson(response, { ...issuer.person, ...issuer.forgery.userInfo })
    const sent = new URLSearchParams(await text(request))
    const asked = codes.get(sent.get('code') ?? '')
    codes.delete(sent.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url')
    const basic = Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64')
    if (
      asked?.get('code_challenge') !== challenge ||
      asked.get('redirect_uri') !== sent.get('redirect_uri') ||
      request.headers.authorization !== `Basic ${basic}`
    )
      return sendJson(response, { error: 'invalid_grant' }, 400)
    return sendJson(response, {
      access_token: 'canary-access-token',
      token_type: 'Bearer',
      expires_in: 300,
      ...(issuer.forgery.withoutIdToken !== true && { id_token: idToken(asked.get('nonce')) }),
    })
  }

  function idToken(nonce: string | null): string {
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: origin,
      aud: CLIENT.clientId,
      iat: now,
      exp: now + 300,
      nonce,
      ...issuer.person,
      ...issuer.forgery.claims,
    }
    const encodePart = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const signed = `${encodePart({ alg: 'RS256', kid: 'k', ...issuer.forgery.header })}.${encodePart(claims)}`
    const key = issuer.forgery.key === undefined ? privateKey : issuer.forgery.key
    return `${signed}.${key === null ? '' : sign('sha256', Buffer.from(signed), key).toString('base64url')}`
  }

  return issuer
}
