import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { verifySignature } from '@slipway/sdk/webhook.ts'
import { postTestIdea } from './ingest.ts'

/** Returns a list that receives each request with its body exactly as sent. */
function receive(t: TestContext) {
  const received: { url: URL; header: string; payload: string }[] = []
  t.mock.method(globalThis, 'fetch', async (input: Request) => {
    const header = input.headers.get('Service-Signature') ?? ''
    received.push({ url: new URL(input.url), header, payload: await input.text() })
    return Response.json({ data: { ticketId: 'tkt_1' } })
  })
  return received
}

describe('a test idea that the console sends to an ingest source', () => {
  test('the signature of a test idea covers exactly the bytes that are sent, whatever characters the idea contains', async (t) => {
    const received = receive(t)
    for (const text of ['Water the plants', 'Grüße 🌱 “quoted”', 'a\nb\t\u2028c', '"\\/</script>', '\u0000'])
      await postTestIdea('ing_1', 'whsec_secret', { text })
    for (const { header, payload } of received)
      await verifySignature({ payload, header, secret: 'whsec_secret' })
    assert.equal(received.length, 5)
    assert.deepEqual(JSON.parse(received[1]?.payload ?? ''), { text: 'Grüße 🌱 “quoted”' })
  })

  test("a test idea is posted to the console's own host, because the content security policy allows no other", async (t) => {
    const received = receive(t)
    await postTestIdea('ing_1', 'whsec_secret', { text: 'Water' })
    assert.deepEqual([received[0]?.url.origin, received[0]?.url.pathname], [location.origin, '/i/ing_1'])
  })
})
