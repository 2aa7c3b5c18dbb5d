import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { egressSource } from './egress.ts'

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
  }
  const goesTo = async (url: string, headers: Record<string, string> = {}) => {
    const module = (await import(`data:text/javascript,${encodeURIComponent(egressSource)}`)) as {
      default: Egress
    }
    return (await module.default.fetch(new Request(url, { headers }), env)).text()
  }

  test("an outgoing request with an API key of a provider's local fake goes to the fake, and with another key to the provider", async () => {
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
})
