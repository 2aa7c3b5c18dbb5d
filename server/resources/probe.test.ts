import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { waitUntilHealthy } from './probe.ts'

const servers: ReturnType<typeof createServer>[] = []
/** Starts a server that sends the k-th response to the k-th health check. The last response is repeated. */
async function appResponding(...answers: { status: number; release?: string }[]) {
  let asked = 0
  const server = createServer((_request, response) => {
    const { status, release } = answers[Math.min(asked++, answers.length - 1)] ?? { status: 500 }
    response.setHeader('connection', 'close')
    response.writeHead(status).end(JSON.stringify({ ok: true, data: { status: 'ok', release } }))
  })
  servers.push(server)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return `http://app.acme.localhost:${(server.address() as AddressInfo).port}`
}
const forever = new AbortController().signal

describe('probing an app', () => {
  after(() => Promise.all(servers.map((server) => new Promise((done) => server.close(done)))))

  test('the health probe after a deployment waits while the app is still starting and while it responds with the old release', async () => {
    const url = await appResponding(
      { status: 503 },
      { status: 200, release: 'old' },
      { status: 200, release: 'new' },
    )
    await waitUntilHealthy(url, 'new', forever)
  })

  test('the health probe of an app that never becomes healthy throws with the last response as the reason', async () => {
    const ill = await appResponding({ status: 500 })
    await assert.rejects(
      waitUntilHealthy(ill, 'new', forever, 100),
      /does not come up: GET \/_app\/health answers 500/,
    )
    const old = await appResponding({ status: 200, release: 'old' })
    await assert.rejects(waitUntilHealthy(old, 'new', forever, 100), /answers for release old/)
    await assert.rejects(waitUntilHealthy('http://app.localhost:1', 'new', forever, 100), /gets no answer/)
  })
})
