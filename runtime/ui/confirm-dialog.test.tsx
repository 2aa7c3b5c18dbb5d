import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useState } from 'react'
import { act, isShown, press, render, screen, waitFor } from '../testing/kit.test.fixture.tsx'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

function Plant({ onConfirm }: { onConfirm: () => unknown }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Remove</Button>
      <ConfirmDialog
        title="Delete Fern?"
        open={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={onConfirm}
        confirmLabel="Delete Fern"
        cancelLabel="Keep it"
      >
        It disappears for everyone.
      </ConfirmDialog>
    </>
  )
}

const isOpen = () => screen.queryByRole('dialog', { name: 'Delete Fern?' }) !== null

describe('the confirmation dialog', () => {
  test('the confirmation dialog names the consequences, and its cancel button has the focus', () => {
    render(<Plant onConfirm={() => {}} />)
    press('Remove')
    assert.ok(isShown('It disappears for everyone.'))
    assert.ok(document.activeElement === screen.getByRole('button', { name: 'Keep it' }))
  })

  test('canceling the confirmation dialog closes it and does not run the action', () => {
    let deleted = 0
    render(<Plant onConfirm={() => (deleted += 1)} />)
    press('Remove')
    press('Keep it')
    assert.equal(isOpen(), false)
    assert.equal(deleted, 0)
  })

  test('a double click on the confirm button runs the action once, and closes the dialog', async () => {
    let deleted = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    render(
      <Plant
        onConfirm={() => {
          deleted += 1
          return promise
        }}
      />,
    )
    press('Remove')
    press('Delete Fern')
    press('Delete Fern')
    assert.equal(deleted, 1)
    assert.ok(isOpen())
    await act(async () => resolve())
    assert.equal(isOpen(), false)
  })

  test('the confirmation dialog announces a failed deletion, can retry it, and no longer shows the error when it reopens', async () => {
    let tries = 0
    render(
      <Plant
        onConfirm={() => {
          tries += 1
          throw new Error('Only staff may delete plants.')
        }}
      />,
    )
    press('Remove')
    press('Delete Fern')
    await waitFor(() => assert.match(screen.getByRole('alert').textContent ?? '', /Only staff may delete/))
    assert.ok(isOpen())
    press('Delete Fern')
    await waitFor(() => assert.equal(tries, 2))
    press('Keep it')
    press('Remove')
    assert.ok(screen.queryByRole('alert') === null)
  })
})
