import assert from 'node:assert/strict'
import { after, before, describe, mock, test } from 'node:test'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { press, show } from '../../testing/console.tsx'
import { ToastStore } from './toast-store.ts'
import { Toasts } from './toast-view.tsx'

/** Ignores the live region for screen readers, because it has the same text as the toast. */
const toastWith = (words: string) => screen.getByText(words, { ignore: '[role=status]' })
const isOpen = (words: string) => screen.queryByText(words, { ignore: '[role=status]' }) !== null
const message = { tone: 'done', failure: null, action: null } as const

describe('the messages at the foot of the page', () => {
  before(() => mock.timers.enable({ apis: ['setTimeout'] }))
  after(() => mock.timers.reset())

  function open() {
    const store = new ToastStore()
    // Search only this container: toasts of an earlier test may be in the same document.
    const { container } = show(<Toasts store={store} />)
    const add = (...[toast]: Parameters<ToastStore['add']>) => act(() => store.add(toast))
    return { add, page: within(container) }
  }
  const pass = (ms: number) => act(() => mock.timers.tick(ms))

  test('a success toast disappears after four seconds', () => {
    const { add } = open()
    add({ ...message, words: 'Saved' })
    pass(3_999)
    assert.ok(isOpen('Saved'))
    pass(1)
    assert.ok(!isOpen('Saved'))
  })

  test('a toast message stays on screen while the pointer is over it', () => {
    const { add } = open()
    add({ ...message, words: 'Saved' })
    fireEvent.pointerEnter(toastWith('Saved'))
    pass(60_000)
    assert.ok(isOpen('Saved'))
    fireEvent.pointerLeave(toastWith('Saved'))
    pass(4_000)
    assert.ok(!isOpen('Saved'))
  })

  test('a failure toast stays until it is dismissed, and shows the error code and request id', () => {
    const { add, page } = open()
    const failure = {
      sentence: 'A build is running.',
      code: 'conflict',
      requestId: 'req_7',
      field: null,
      retryable: false,
      retryAfterMs: null,
      detail: null,
    }
    add({ ...message, tone: 'attention', words: 'A build is running.', failure })
    pass(60_000)
    assert.match(page.getByRole('alert').textContent ?? '', /conflict.*req_7/)
    fireEvent.click(page.getByRole('button', { name: 'Dismiss' }))
    assert.ok(page.queryByRole('alert') === null)
  })

  test('Undo in a toast message runs the undo action and removes the message', () => {
    const { add } = open()
    let undone = 0
    add({ ...message, words: 'Moved', action: { label: 'Undo', run: () => undone++ } })
    press('Undo')
    assert.deepEqual([undone, isOpen('Moved')], [1, false])
  })

  test('a second message with the same words is announced too, and an older message is not announced again after a newer one has gone', () => {
    const { add, page } = open()
    const region = page.getByRole('status')
    add({ ...message, words: 'Saved', action: { label: 'Undo', run() {} } })
    pass(100)
    assert.equal(region.textContent, 'Saved')
    add({ ...message, words: 'Saved' })
    assert.equal(region.textContent, '')
    pass(100)
    assert.equal(region.textContent, 'Saved')
    add({ ...message, words: 'Copied' })
    pass(4_100)
    assert.ok(isOpen('Saved'), 'the message with Undo is shown longer')
    assert.equal(region.textContent, '')
  })

  test('a toast message is announced by adding its text to an existing live region', () => {
    const { add, page } = open()
    assert.equal(page.getByRole('status').textContent, '')
    add({ ...message, words: 'Saved' })
    assert.equal(page.getByRole('status').textContent, '')
    pass(100)
    assert.equal(page.getByRole('status').textContent, 'Saved')
  })
})
