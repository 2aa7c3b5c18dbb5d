import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { validateNotification } from './message.ts'

const MESSAGE = { title: 'New order', body: 'Two cakes', url: '/orders/1?from=push' }
const NOW = 1_000_000

describe('a notification', () => {
  test('a notification is sent with its text fields and the configured icon, and expires after a day by default', () => {
    const { payload, endsAt, urgency } = validateNotification(
      { ...MESSAGE, tag: 'order-1' },
      '/icon.png',
      NOW,
    )
    assert.deepEqual(JSON.parse(payload), { ...MESSAGE, tag: 'order-1', icon: '/icon.png' })
    assert.deepEqual([endsAt - NOW, urgency], [86_400_000, 'normal'])
    assert.equal('icon' in (JSON.parse(validateNotification(MESSAGE, null, NOW).payload) as object), false)
    assert.equal(validateNotification({ ...MESSAGE, ttlSeconds: 0 }, null, NOW).endsAt, NOW)
  })

  test('a notification with an invalid field, such as an external URL, is rejected with an error that names the field', () => {
    const refused: [string, object | null][] = [
      ['title', null],
      ['title', { ...MESSAGE, title: ' ' }],
      ['body', { ...MESSAGE, body: 7 }],
      ['body', { ...MESSAGE, body: 'ö'.repeat(1500) }],
      ['url', { ...MESSAGE, url: 'https://evil.example.com/' }],
      ['url', { ...MESSAGE, url: '//evil.example.com/' }],
      ['url', { ...MESSAGE, url: '/\\evil.example.com/' }],
      ['url', { ...MESSAGE, url: 'javascript:alert(1)' }],
      ['tag', { ...MESSAGE, tag: 7 }],
      ['ttlSeconds', { ...MESSAGE, ttlSeconds: -1 }],
      ['ttlSeconds', { ...MESSAGE, ttlSeconds: 1.5 }],
      ['ttlSeconds', { ...MESSAGE, ttlSeconds: 3_000_000 }],
      ['urgency', { ...MESSAGE, urgency: 'now' }],
    ]
    for (const [field, message] of refused)
      assert.throws(
        () => validateNotification(message, null, NOW),
        { code: 'invalid_request', field },
        JSON.stringify(message),
      )
  })

  test('a notification may have at most 3,000 bytes', () => {
    const bytes = (body: string) =>
      Buffer.byteLength(validateNotification({ ...MESSAGE, body }, null, NOW).payload)
    const room = 3000 - bytes('')
    assert.equal(bytes('x'.repeat(room)), 3000)
    assert.throws(() => bytes('x'.repeat(room + 1)), { field: 'body' })
  })
})
