import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsFor } from '../data/records.ts'
import { storableHeaders } from './message.ts'
import { webhookBody } from './send.ts'

test('an outgoing webhook message has its type, timestamp and data, and an invalid type is rejected', () => {
  const now = new Date('2026-11-24T00:00:00Z')
  assert.equal(
    webhookBody('invoice.paid', { id: 1 }, now),
    '{"type":"invoice.paid","timestamp":"2026-11-24T00:00:00.000Z","data":{"id":1}}',
  )
  for (const type of ['', 'a b', 'x'.repeat(101), 7])
    assert.throws(() => webhookBody(type, 1, now), { field: 'type' })
  assert.throws(() => webhookBody('a', 'x'.repeat(100_001), now), { field: 'data' })
})

test('a received webhook message is stored in the fields that its collection declares', () => {
  const spec = {
    title: 'Payments',
    partition: 'app' as const,
    read: 'staff' as const,
    write: 'nobody' as const,
    fields: {
      endpoint: { type: 'text' as const },
      receivedAt: { type: 'date' as const },
      body: { type: 'text' as const },
      status: { type: 'enum' as const, values: ['received', 'handled'] },
      attempts: { type: 'boolean' as const },
      lastError: { type: 'text' as const, required: true },
    },
  }
  const facts = {
    endpoint: 'pay',
    deliveryId: 'evt_1',
    receivedAt: '2026-11-24T10:00:00.000Z',
    body: { a: 1 },
    status: 'failed' as const,
    attempts: 2,
    lastError: null,
  }
  assert.deepEqual(fieldsFor(spec, facts), { endpoint: 'pay', receivedAt: '2026-11-24', body: '{"a":1}' })
})

test("signatures, credentials and IP addresses in a webhook's headers are not stored", () => {
  const kept = {
    'content-type': 'application/json',
    'x-github-event': 'push',
    'x-shopify-topic': 'orders/paid',
  }
  const dropped = {
    authorization: 'Bearer x',
    cookie: 'a=b',
    'x-hub-signature-256': 'sha256=0',
    'x-gitlab-token': 'secret',
    'x-forwarded-for': '1.2.3.4',
    'cf-connecting-ip': '1.2.3.4',
    'webhook-signature': 'v1,0',
    'x-long-event': 'x'.repeat(501),
  }
  assert.deepEqual(storableHeaders({ ...kept, ...dropped }), kept)
})
