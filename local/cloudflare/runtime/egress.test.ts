import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { egressSource } from './egress.ts'
import { unreachableCause } from './public-addresses.ts'

interface Egress {
  fetch(request: Request, env: object): Promise<Response>
}

describe('outbound requests of an app', () => {
  const respondWith = (word: string) => ({ fetch: async () => new Response(word) })
  const env = {
    STAND_INS: { 'pay.example.com': '_local_', 'sign-in.example.com': '' },
    ALLOWED: ['10.0.0.1:8080'],
    APPS_PORT: '4320',
    HOST: respondWith('this machine'),
    PUBLIC: respondWith('the internet'),
    CAUSE: { fetch: async (url: string) => new Response(await unreachableCause(new URL(url).hostname)) },
  }
  const goesTo = async (url: string, headers: Record<string, string> = {}, changed: object = {}) => {
    const module = (await import(`data:text/javascript,${encodeURIComponent(egressSource)}`)) as {
      default: Egress
    }
    return (await module.default.fetch(new Request(url, { headers }), { ...env, ...changed })).text()
  }

  test('requests of apps with an API key of a local fake go to the fake, and those with any other key to the real provider', async () => {
    const url = 'https://pay.example.com/v1'
    assert.equal(await goesTo(url, { authorization: 'Bearer sk_test_local_shop' }), 'this machine')
    assert.equal(await goesTo(url, { authorization: 'Bearer sk_test_real' }), 'the internet')
    assert.equal(await goesTo(url), 'the internet')
    assert.equal(await goesTo('https://sign-in.example.com/token'), 'this machine')
  })

  test('outgoing requests to local apps and allowed private addresses go to this machine, and all others to the public internet', async () => {
    assert.equal(await goesTo('http://shop.acme.localhost:4320/'), 'this machine')
    assert.equal(await goesTo('http://shop.acme.localhost:4310/'), 'the internet')
    assert.equal(await goesTo('http://10.0.0.1:8080/'), 'this machine')
    assert.equal(await goesTo('https://example.com/'), 'the internet')
  })

  test("the error of a failed outgoing request names an unknown host or a private address as the cause, or else contains the runtime's own message", async () => {
    const PUBLIC = { fetch: () => Promise.reject(new Error('Network connection lost.')) }
    const tryHost = (host: string) => goesTo(`http://${host}/`, {}, { PUBLIC })
    const isPrivate = /Apps reach public addresses only: not this machine, not its private network\.$/
    await assert.rejects(tryHost('10.0.0.1'), isPrivate)
    await assert.rejects(tryHost('[::ffff:127.0.0.1]:81'), isPrivate)
    await assert.rejects(tryHost('unknown.invalid'), {
      message: 'Could not reach unknown.invalid. The host name has no address.',
    })
    await assert.rejects(tryHost('8.8.8.8'), { message: 'Could not reach 8.8.8.8. Network connection lost.' })
  })
})
