import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AppError, toPreviewError, withError } from './app-error.ts'

const boomError = { kind: 'error', message: 'Boom', stack: 'at x', path: '/plants' } as const
const RECEIVED_AT = new Date('2026-01-31T10:00:00Z')

describe('errors that the app in the frame reports', () => {
  test('the newest 50 errors of the previewed app are listed, oldest first, each with its own id', () => {
    let errors: AppError[] = []
    for (let n = 0; n < 60; n++) errors = withError(errors, boomError, RECEIVED_AT)
    assert.equal(errors.length, 50)
    assert.deepEqual([errors[0]?.id, errors.at(-1)?.id], [11, 60])
  })

  test('an error of the previewed app is sent to the next build with its time and, if known, its stack and page', () => {
    const [error] = withError([], boomError, RECEIVED_AT)
    assert.ok(error)
    assert.deepEqual(toPreviewError(error), {
      message: 'Boom',
      stack: 'at x',
      source: '/plants',
      at: '2026-01-31T10:00:00.000Z',
    })
    assert.deepEqual(toPreviewError({ ...error, stack: null, path: '' }), {
      message: 'Boom',
      at: '2026-01-31T10:00:00.000Z',
    })
  })

  test('an error of the previewed app is truncated to 4096 bytes, even when a character has several bytes', () => {
    const [error] = withError(
      [],
      { ...boomError, message: '語'.repeat(500), stack: '語\n'.repeat(2000) },
      RECEIVED_AT,
    )
    assert.ok(error)
    const sent = toPreviewError(error)
    assert.ok(Buffer.byteLength(JSON.stringify(sent)) <= 4096)
    assert.ok((sent.stack?.length ?? 0) > 200)
  })
})
