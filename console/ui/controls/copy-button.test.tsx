import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import { button, press, show } from '../../testing/console.tsx'
import { CopyButton } from './copy-button.tsx'

const setClipboard = (clipboard: object | undefined) =>
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })

describe('the button that copies a value', () => {
  const original = navigator.clipboard
  afterEach(() => setClipboard(original))

  test('the copy button copies the whole value, and screen readers announce “Copied”', async () => {
    const copied: string[] = []
    setClipboard({ writeText: async (value: string) => copied.push(value) })
    const value = `first line\n<b>second</b> ${'x'.repeat(10_000)}`
    show(<CopyButton value={value} label="Copy the key" />)
    assert.equal(screen.getByRole('status').textContent, '')
    press('Copy the key')
    await screen.findByText('Copied')
    assert.deepEqual(copied, [value])
    assert.equal(screen.getByRole('status').textContent, 'Copied')
  })

  test('when the browser refuses to copy, “Not copied” is shown on screen', async () => {
    setClipboard({ writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError')) })
    show(<CopyButton value="secret" label="Copy the key" words="Copy" />)
    press('Copy the key')
    const note = await screen.findByText('Not copied')
    assert.equal(note.classList.contains('sr-only'), false)
    assert.ok(button('Copy the key'))
  })

  test('on a page without a clipboard, such as at an http address, the copy button shows “Not copied”', async () => {
    setClipboard(undefined)
    show(<CopyButton value="secret" label="Copy the key" />)
    press('Copy the key')
    assert.ok(await screen.findByText('Not copied'))
  })

  test('the copy button does not submit a form around it', async () => {
    setClipboard({ writeText: async () => {} })
    let submissions = 0
    show(
      <form onSubmit={() => submissions++}>
        <CopyButton value="a" label="Copy the key" />
        <CopyButton value="b" label="Copy the name" words="Copy" />
      </form>,
    )
    press('Copy the key')
    press('Copy the name')
    await waitFor(() => assert.equal(screen.getAllByText('Copied').length, 2))
    assert.equal(submissions, 0)
  })
})
