import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPreviewMessage } from './preview-message.ts'

test('an app may say that it is ready, where it is, what broke, and that it cannot store', () => {
  const source = 'slipway-preview'
  assert.deepEqual(readPreviewMessage({ source, kind: 'ready' }), { kind: 'ready' })
  assert.deepEqual(readPreviewMessage({ source, kind: 'storage' }), { kind: 'storage' })
  assert.deepEqual(readPreviewMessage({ source, kind: 'navigate', path: '/plants' }), {
    kind: 'navigate',
    path: '/plants',
  })
  assert.deepEqual(readPreviewMessage({ source, kind: 'error', message: 'Boom', stack: 'x' }), {
    kind: 'error',
    message: 'Boom',
  })
})

test('anything else an app sends is passed over', () => {
  for (const data of [
    null,
    'ready',
    7,
    {},
    { source: 'other', kind: 'ready' },
    { source: 'slipway-preview', kind: 'run', path: 1 },
  ])
    assert.equal(readPreviewMessage(data), null)
})

test('long texts of an app are cut', () => {
  const message = readPreviewMessage({ source: 'slipway-preview', kind: 'error', message: 'x'.repeat(9000) })
  assert.ok(message?.kind === 'error' && message.message.length <= 500)
})
