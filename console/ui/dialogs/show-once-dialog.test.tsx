import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { Dialog } from '@cloudflare/kumo/components/dialog'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { field, isShown, isThere, press, show, write } from '../../testing/console.tsx'
import { ShowOnceDialog, ShowOnceContent } from './show-once-dialog.tsx'
import { ShowOnceSecret } from './show-once-secret.tsx'

function renderDialog(hasDraft = false) {
  let closed = 0
  const onClose = () => closed++
  const { unmount } = show(
    <ShowOnceDialog<{ secret: string }>
      hasDraft={hasDraft}
      onClose={onClose}
      form={(onMade, onBusy) => (
        <>
          <Dialog.Title>New key</Dialog.Title>
          <input aria-label="Name" />
          <button type="button" onClick={() => onMade({ secret: 'slp_secret' })}>
            Create
          </button>
          <button type="button" onClick={() => onBusy(true)}>
            Send
          </button>
          <button type="button" onClick={() => onBusy(false)}>
            Fail
          </button>
        </>
      )}
      once={({ secret }) => (
        <ShowOnceContent title="Your key" hint="It is shown once." saved="I have saved it" onClose={onClose}>
          <ShowOnceSecret label="Key" value={secret} />
        </ShowOnceContent>
      )}
    />,
  )
  return { closings: () => closed, unmount }
}
const pressEscape = () => fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })

describe('a dialog that shows a secret once', () => {
  test('while a dialog shows a secret for the only time, Escape does not close it, so that the secret is not lost', () => {
    const { closings } = renderDialog()
    press('Create')
    assert.ok(isShown('slp_secret'))
    pressEscape()
    pressEscape()
    assert.equal(closings(), 0)
    assert.ok(isShown('slp_secret'))
    press('I have saved it')
    assert.equal(closings(), 1)
  })

  test('while the request that creates a secret runs, Escape neither closes the dialog nor warns of lost text', () => {
    const { closings } = renderDialog()
    write('Name', 'CI')
    press('Send')
    pressEscape()
    pressEscape()
    assert.equal(closings(), 0)
    assert.ok(!isThere('alert'))
    press('Fail')
    pressEscape()
    pressEscape()
    assert.equal(closings(), 1)
  })

  test('a dialog that cannot be closed because its request has run for ten seconds says what it waits for, until the request ends', (t) => {
    mock.timers.enable({ apis: ['setTimeout'] })
    t.after(() => mock.timers.reset())
    renderDialog()
    const pass = (ms: number) => act(() => mock.timers.tick(ms))
    pass(10_000)
    assert.ok(!isShown(/Waiting for the service/))
    press('Send')
    pass(9_999)
    assert.ok(!isShown(/Waiting for the service/))
    pass(1)
    assert.match(screen.getByRole('status').textContent ?? '', /^Waiting for the service to respond\./)
    press('Fail')
    assert.ok(!isShown(/Waiting for the service/))
  })

  test('once a secret is shown, its dialog is titled with the name of the secret', () => {
    renderDialog()
    assert.ok(isThere('dialog', 'New key'))
    press('Create')
    assert.ok(isThere('dialog', 'Your key'))
  })

  test('a dialog that creates a secret closes with Escape while untouched, and warns first when it has text or a draft', () => {
    const untouched = renderDialog()
    pressEscape()
    assert.equal(untouched.closings(), 1)
    untouched.unmount()
    const typed = renderDialog()
    write('Name', 'CI')
    pressEscape()
    assert.equal(typed.closings(), 0)
    assert.equal(field('Name').value, 'CI')
    pressEscape()
    assert.equal(typed.closings(), 1)
    typed.unmount()
    const restored = renderDialog(true)
    pressEscape()
    assert.equal(restored.closings(), 0)
    assert.ok(isThere('alert'))
  })

  test('after a dialog that creates a secret was submitted, Escape does not warn that its text is lost', () => {
    renderDialog()
    write('Name', 'CI')
    press('Create')
    pressEscape()
    assert.ok(!isThere('alert'))
  })

  test('a secret that is shown once can be copied, and the button says what it copies', async (t) => {
    const copied: string[] = []
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void copied.push(text) },
    })
    t.after(() => Reflect.deleteProperty(navigator, 'clipboard'))
    renderDialog()
    press('Create')
    press('Copy: Key')
    await waitFor(() => assert.deepEqual(copied, ['slp_secret']))
  })
})
