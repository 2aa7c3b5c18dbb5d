import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { act, render, screen } from '../../console/testing/kit.tsx'
import { showToast, ToastRegion } from './toast.tsx'

const said = () => screen.getByRole('status').textContent
const say = (text: string, kind?: 'done' | 'failed') => act(async () => showToast(text, kind))
const pass = (ms: number) => act(async () => mock.timers.tick(ms))

describe('short messages of an app', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(async () => {
    // The message is kept outside of the page, for the next test, too.
    await act(async () => mock.timers.runAll())
    mock.timers.reset()
  })

  test('the region exists before the first message, so that screen readers follow it', async () => {
    render(<ToastRegion />)
    const region = screen.getByRole('status')
    assert.equal(region.getAttribute('aria-live'), 'polite')
    assert.equal(said(), '')
    await say('Plant added')
    assert.equal(screen.getByRole('status'), region)
    assert.equal(said(), 'Plant added')
  })

  test('a message disappears after five seconds', async () => {
    render(<ToastRegion />)
    await say('Plant added')
    await pass(4999)
    assert.equal(said(), 'Plant added')
    await pass(1)
    assert.equal(said(), '')
  })

  test('a second message replaces the first and is shown for its own time', async () => {
    render(<ToastRegion />)
    await say('Plant added')
    await pass(4000)
    await say('Plant deleted')
    await pass(1000)
    assert.equal(said(), 'Plant deleted', 'the end of the first one does not take the second away')
    await pass(4000)
    assert.equal(said(), '')
  })

  test('a failure looks different from a success', async () => {
    render(<ToastRegion />)
    await say('Not sent', 'failed')
    assert.ok(screen.getByText('Not sent').classList.contains('toast-failed'))
    await say('Sent')
    assert.ok(screen.getByText('Sent').classList.contains('toast-done'))
  })
})
