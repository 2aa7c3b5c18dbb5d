import assert from 'node:assert/strict'
import { afterEach, describe, mock, test } from 'node:test'
import { act, render, screen } from '../testing/kit.test.fixture.tsx'
import { showToast, ToastRegion } from './toast.tsx'

const toastText = () => screen.getByRole('status').textContent
let endToasts: (() => void)[] = []

/** Shows a message. Returns a function that makes it time out. */
function openToast(text: string, kind?: 'done' | 'failed'): () => void {
  let late = () => {}
  act(() => {
    const timer = mock.method(globalThis, 'setTimeout', (run: () => void, ms: number) => {
      assert.equal(ms, 5000)
      late = run
    })
    showToast(text, kind)
    timer.mock.restore()
  })
  const end = () => act(() => late())
  endToasts.push(end)
  return end
}

describe('short messages of an app', () => {
  afterEach(() => {
    // The message is stored outside of the page, so remove it before the next test.
    for (const end of endToasts) end()
    endToasts = []
  })

  test('the live region for toasts exists before the first toast, so that screen readers announce it', () => {
    render(<ToastRegion />)
    const region = screen.getByRole('status')
    assert.equal(region.getAttribute('aria-live'), 'polite')
    openToast('Plant added')
    assert.ok(screen.getByRole('status') === region)
    assert.equal(toastText(), 'Plant added')
  })

  test('a toast disappears after its duration', () => {
    render(<ToastRegion />)
    const end = openToast('Plant added')
    end()
    assert.equal(toastText(), '')
  })

  test('a second toast replaces the first, and is shown for its own full duration', () => {
    render(<ToastRegion />)
    const endFirst = openToast('Plant added')
    const endSecond = openToast('Plant deleted')
    endFirst()
    assert.equal(toastText(), 'Plant deleted', 'the end of the first one does not take the second away')
    endSecond()
    assert.equal(toastText(), '')
  })

  test('a toast about a failure looks different from one about a success', () => {
    render(<ToastRegion />)
    openToast('Not sent', 'failed')
    assert.ok(screen.getByText('Not sent').classList.contains('toast-failed'))
    openToast('Sent')
    assert.ok(screen.getByText('Sent').classList.contains('toast-done'))
  })
})
