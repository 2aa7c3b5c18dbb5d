import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { screen } from '@testing-library/react'
import { isShown, press, show } from '../../testing/console.tsx'
import { PaneBoundary } from './pane-boundary.tsx'

let isBroken: boolean
function BreakablePreview() {
  if (isBroken) throw new Error('no <b>frame</b>')
  return <p>The preview</p>
}

describe('a pane that throws', () => {
  beforeEach(() => {
    isBroken = true
    // Silence the console, because React reports every caught error there.
    mock.method(console, 'error', () => {})
  })
  afterEach(() => mock.restoreAll())

  const open = () =>
    show(
      <>
        <PaneBoundary>
          <BreakablePreview />
        </PaneBoundary>
        <PaneBoundary>
          <p>The tickets</p>
        </PaneBoundary>
      </>,
    )

  test('a pane that throws is replaced by an alert, and the pane beside it keeps working', () => {
    open()
    assert.match(screen.getByRole('alert').textContent ?? '', /This part of the page stopped working/)
    assert.ok(isShown('no <b>frame</b>'))
    assert.ok(isShown('The tickets'))
  })

  test('a broken pane can be loaded again, and shows its alert again when it is still broken', () => {
    open()
    press('Reload this part')
    assert.ok(screen.getByRole('alert'))
    isBroken = false
    press('Reload this part')
    assert.ok(screen.queryByRole('alert') === null)
    assert.ok(isShown('The preview'))
  })

  test('the copied details of a broken pane contain the URL and the error', async () => {
    const copied: string[] = []
    const clipboard = navigator.clipboard
    const fake = { writeText: async (value: string) => copied.push(value) }
    Object.defineProperty(navigator, 'clipboard', { value: fake, configurable: true })
    open()
    press('Copy details')
    await screen.findByText('Copied')
    Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
    assert.equal(copied.length, 1)
    assert.ok(copied[0]?.startsWith(`${location.pathname}\nno <b>frame</b>`))
  })
})
