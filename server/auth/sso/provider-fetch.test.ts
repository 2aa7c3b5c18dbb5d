import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { openProviderFetch, type ProviderFetch } from './provider-fetch.ts'

describe('requests of the auth library to identity providers', () => {
  let server: Server
  let origin: string
  let providers: ProviderFetch
  before(async () => {
    server = createServer((_request, response) => response.writeHead(204).end())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    providers = openProviderFetch({ outboundAllow: [], trustedIdpOrigins: [origin] })
  })
  after(async () => {
    await providers.close()
    server.close()
  })

  test('a response without a body reaches the auth library with its status', async () => {
    const response = await providers.run(() => fetch(origin))
    assert.deepEqual([response.status, response.body], [204, null])
  })
})
