import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPreviewMessage } from './preview-message.ts'

test('the previewed app can report in a message that it is ready, has navigated, has failed or may not use storage', () => {
  const source = 'slipway-preview'
  assert.deepEqual(readPreviewMessage({ source, kind: 'ready', path: '/plants' }), {
    kind: 'ready',
    path: '/plants',
  })
  assert.deepEqual(readPreviewMessage({ source, kind: 'storage' }), { kind: 'storage' })
  assert.deepEqual(readPreviewMessage({ source, kind: 'navigate', path: '/plants' }), {
    kind: 'navigate',
    path: '/plants',
  })
  assert.deepEqual(
    readPreviewMessage({ source, kind: 'error', message: 'Boom', stack: 'at x', path: '/plants' }),
    { kind: 'error', message: 'Boom', stack: 'at x', path: '/plants' },
  )
  assert.deepEqual(readPreviewMessage({ source, kind: 'error', message: 'Boom', stack: 7 }), {
    kind: 'error',
    message: 'Boom',
    stack: null,
    path: '',
  })
})

test('a message of the previewed app with an unknown source, kind or format is ignored', () => {
  for (const data of [
    null,
    'ready',
    7,
    {},
    { source: 'other', kind: 'ready' },
    { source: 'slipway-preview', kind: 'run', path: 1 },
    { source: 'slipway-preview', kind: 'navigate', path: 1 },
    { source: 'slipway-preview', kind: 'error' },
  ])
    assert.equal(readPreviewMessage(data), null)
})

test('long texts in messages of the previewed app are truncated', () => {
  const long = 'x'.repeat(9000)
  const message = readPreviewMessage({ source: 'slipway-preview', kind: 'error', message: long, stack: long })
  assert.ok(message?.kind === 'error')
  assert.deepEqual([message.message.length, message.stack?.length], [500, 4000])
})
