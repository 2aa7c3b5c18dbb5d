import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { openLog } from '../../process/service-log.ts'
import { openProviderFetch, type ProviderFetch } from './provider-fetch.ts'

describe('requests of the auth library to identity providers', () => {
  let server: Server
  let origin: string
  let providers: ProviderFetch
  const logged: string[] = []
  before(async () => {
    server = createServer(({ url }, response) => {
      if (url === '/empty') response.writeHead(204).end()
      else response.socket?.destroy()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const log = openLog('info', { write: (line) => void logged.push(line) })
    providers = openProviderFetch({ outboundAllow: [], trustedIdpOrigins: [origin] }, log)
  })
  after(async () => {
    await providers.close()
    server.close()
  })

  test('a response without a body reaches the auth library with its status', async () => {
    const response = await providers.run(() => fetch(`${origin}/empty`))
    assert.deepEqual([response.status, response.body], [204, null])
  })

  test('a failed request is logged with its address and its cause, but without the query and the body, which can have secrets', async () => {
    const address = `${origin}/token?code=canary-query`
    const { status } = await providers.run(() => fetch(address, { method: 'POST', body: 'canary-body' }))
    assert.equal(status, 502)
    const line = logged.join('')
    const { level, url } = JSON.parse(line) as { level: number; url: string }
    assert.deepEqual([level, url], [30, `${origin}/token`])
    assert.match(line, /other side closed/)
    assert.doesNotMatch(line, /canary/)
  })
})
