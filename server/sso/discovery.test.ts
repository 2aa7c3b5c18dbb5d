import assert from 'node:assert/strict'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type Config, readConfig } from '../config.ts'
import { ApiError } from '../http/errors.ts'
import { discover, refuseAddress } from './discovery.ts'

describe('the discovery of an OpenID Connect issuer', () => {
  let server: Server
  let origin: string
  let config: Config
  const seen: string[] = []
  let answer: (response: ServerResponse) => void
  before(async () => {
    server = createServer((request, response) => {
      seen.push(request.url ?? '')
      answer(response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    config = readConfig({ SLIPWAY_TRUSTED_IDP_ORIGINS: origin }).config
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const metadata = (change: object = {}) => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/jwks`,
    ...change,
  })
  const sendJson = (body: unknown, status = 200) => {
    answer = (response) => response.writeHead(status).end(JSON.stringify(body))
  }
  const refusalOf = async (issuer = origin) => {
    const error: unknown = await discover(config, issuer).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof ApiError, String(error))
    return `${error.status} ${error.message}`
  }

  test('the endpoints of an OIDC issuer are read from its discovery document, with or without a slash at the end of its URL', async () => {
    const endpoints = {
      authorizationEndpoint: `${origin}/authorize`,
      tokenEndpoint: `${origin}/token`,
      jwksEndpoint: `${origin}/jwks`,
      tokenEndpointAuthentication: 'client_secret_basic',
    }
    sendJson(metadata())
    seen.length = 0
    assert.deepEqual(await discover(config, `${origin}/`), { issuer: origin, ...endpoints })
    assert.deepEqual(seen, ['/.well-known/openid-configuration'])
    const userinfo = `${origin}/me`
    sendJson(metadata({ issuer: `${origin}/`, userinfo_endpoint: userinfo }))
    assert.deepEqual(await discover(config, origin), {
      issuer: `${origin}/`,
      ...endpoints,
      userInfoEndpoint: userinfo,
    })
  })

  test('the service authenticates to an OIDC issuer by a method that the issuer accepts, preferably client_secret_basic', async () => {
    for (const [methods, used] of [
      [['client_secret_post', 'client_secret_basic'], 'client_secret_basic'],
      [['private_key_jwt', 'client_secret_post'], 'client_secret_post'],
    ] as const) {
      sendJson(metadata({ token_endpoint_auth_methods_supported: methods }))
      assert.equal((await discover(config, origin)).tokenEndpointAuthentication, used)
    }
    for (const methods of [[], ['private_key_jwt']]) {
      sendJson(metadata({ token_endpoint_auth_methods_supported: methods }))
      assert.equal(
        await refusalOf(),
        '400 issuer: accepts neither client_secret_basic nor client_secret_post',
      )
    }
  })

  test('a discovery document that names another OIDC issuer is refused', async () => {
    sendJson(metadata({ issuer: 'https://evil.test' }))
    assert.equal(
      await refusalOf(),
      '400 issuer: differs from the issuer in its discovery document, https://evil.test',
    )
  })

  test('an OIDC issuer without a valid discovery document is refused with an error of the field issuer', async () => {
    const url = `${origin}/.well-known/openid-configuration`
    const invalidDocument = `400 issuer: has no valid discovery document at ${url}`
    for (const body of [
      null,
      [],
      {},
      metadata({ jwks_uri: 'no address' }),
      metadata({ token_endpoint: 7 }),
    ]) {
      sendJson(body)
      assert.equal(await refusalOf(), invalidDocument, JSON.stringify(body))
    }
    answer = (response) => response.end('<html>')
    assert.equal(await refusalOf(), invalidDocument)
    sendJson(metadata({ padding: 'x'.repeat(64 * 1024) }))
    assert.equal(await refusalOf(), invalidDocument)
    sendJson({}, 404)
    assert.equal(await refusalOf(), `400 issuer: responded 404 to ${url}`)
    answer = (response) => response.writeHead(302, { location: `${origin}/else` }).end()
    assert.equal(await refusalOf(), `400 issuer: responded 302 to ${url}`)
  })

  test('an OIDC issuer that closes the connection is reported with 502 and the URL that did not respond', async () => {
    answer = (response) => response.socket?.destroy()
    assert.equal(
      await refusalOf(),
      `502 The issuer did not respond at ${origin}/.well-known/openid-configuration.`,
    )
  })

  test('an OIDC issuer is refused when one of its endpoints is not https or is at a private address', async () => {
    sendJson(metadata({ token_endpoint: 'http://idp.example.com/token' }))
    assert.equal(await refusalOf(), '400 issuer: must be an https address')
    sendJson(metadata({ userinfo_endpoint: 'https://127.0.0.1:9443/me' }))
    assert.match(await refusalOf(), /^400 issuer: has a userInfoEndpoint that is not reachable: /)
  })

  test("an OIDC issuer's URL needs https unless its origin is trusted, and never has credentials, a fragment or a space", () => {
    const isAccepted = (address: string) => {
      try {
        refuseAddress(config, 'issuer', address)
        return true
      } catch (error) {
        assert.equal((error as ApiError).message, 'issuer: must be an https address')
        return false
      }
    }
    const trusted = origin.replace('http://', '')
    const accepted = ['https://idp.example.com', 'https://idp.example.com/a?b=c', origin, `${origin}/a`]
    const refused = [
      '',
      'no url',
      'http://idp.example.com',
      'file:///etc/passwd',
      'https://user@idp.example.com',
      'https://user:secret@idp.example.com',
      'https://:secret@idp.example.com',
      'https://idp.example.com#a',
      ' https://idp.example.com',
      'https://idp.example.com ',
      `http://user:secret@${trusted}`,
      `http://:secret@${trusted}`,
      `${origin}#a`,
    ]
    assert.deepEqual([...accepted, ...refused].filter(isAccepted), accepted)
  })
})
