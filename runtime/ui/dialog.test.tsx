import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useState } from 'react'
import { fireEvent, isShown, press, render, screen, write } from '../testing/kit.test.fixture.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './fields/fields.tsx'

const WARNING = 'What you typed is not saved. Close again to discard it.'

function Shop({ problem = null, busy = false }: { problem?: string | null; busy?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  return (
    <>
      <Button onClick={() => setOpen(true)}>New plant</Button>
      <Dialog title="Add a plant" open={isOpen} onClose={() => setOpen(false)}>
        <form onSubmit={(event) => event.preventDefault()}>
          <TextField label="Name" value={name} onChange={setName} error={problem} />
          <Button type="submit" busy={busy}>
            Save
          </Button>
        </form>
      </Dialog>
    </>
  )
}

const isOpen = () => screen.queryByRole('dialog', { name: 'Add a plant' }) !== null
const cancelDialog = () => {
  const event = new Event('cancel', { cancelable: true })
  fireEvent(screen.getByRole('dialog'), event)
  return event.defaultPrevented
}

describe('a dialog of an app', () => {
  test('a dialog is named by its title, and its first field gets the focus', () => {
    render(<Shop />)
    assert.equal(isOpen(), false)
    press('New plant')
    assert.ok(isOpen())
    assert.ok(document.activeElement === screen.getByLabelText('Name'))
  })

  test('a dialog into which nothing was typed closes at once', () => {
    render(<Shop />)
    press('New plant')
    press('Close')
    assert.equal(isOpen(), false)
  })

  test('the first attempt to close a dialog with typed text warns, and the second closes it', () => {
    render(<Shop />)
    press('New plant')
    write('Name', 'Fern')
    press('Close')
    assert.ok(isShown(WARNING))
    assert.equal(screen.getByLabelText<HTMLInputElement>('Name').value, 'Fern')
    press('Close')
    assert.equal(isOpen(), false)
  })

  test('in a dialog with typed text, Escape or a click outside warns before it closes', () => {
    render(<Shop />)
    press('New plant')
    write('Name', 'Fern')
    assert.ok(cancelDialog(), 'Escape is held back')
    assert.ok(isShown(WARNING))
    write('Name', 'Ferns')
    assert.ok(!isShown(WARNING), 'typing on takes the warning away')
    fireEvent.mouseDown(screen.getByRole('dialog'))
    assert.ok(isShown(WARNING))
    fireEvent.mouseDown(screen.getByRole('dialog'))
    assert.equal(isOpen(), false)
  })

  test('a click inside the dialog does not close it', () => {
    render(<Shop />)
    press('New plant')
    fireEvent.mouseDown(screen.getByLabelText('Name'))
    assert.ok(isOpen())
  })

  test('a dialog whose form was saved closes without a warning', () => {
    render(<Shop />)
    press('New plant')
    write('Name', 'Fern')
    press('Save')
    press('Close')
    assert.equal(isOpen(), false)
  })

  test('a dialog warns before it closes when its form was rejected or is still being sent', () => {
    const { rerender } = render(<Shop problem="This is taken" />)
    press('New plant')
    write('Name', 'Fern')
    press('Save')
    press('Close')
    assert.ok(isShown(WARNING))
    press('Close')
    press('New plant')
    assert.ok(!isShown(WARNING), 'opening it again starts without it')
    write('Name', 'Moss')
    press('Save')
    rerender(<Shop busy />)
    press('Close')
    assert.ok(isShown(WARNING))
  })
})
