import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Dialog } from '@cloudflare/kumo/components/dialog'
import { fireEvent } from '@testing-library/react'
import { field, isShown, show, write } from '../../testing/console.tsx'
import { FormDialog } from './form-dialog.tsx'

function renderFormDialog(isSent = false) {
  const closed: string[] = []
  show(
    <FormDialog size="base" className="" isSent={isSent} onClose={() => closed.push('closed')}>
      <Dialog.Title>A note</Dialog.Title>
      <label>
        Words <input defaultValue="" />
      </label>
    </FormDialog>,
  )
  return closed
}
const pressEscape = () => fireEvent.keyDown(field('Words'), { key: 'Escape' })

describe('a dialog with a form', () => {
  test('Escape closes a form dialog into which nothing was typed', () => {
    const closed = renderFormDialog()
    pressEscape()
    assert.deepEqual(closed, ['closed'])
  })

  test('after a form dialog was submitted, Escape closes it without a warning', () => {
    const closed = renderFormDialog(true)
    write('Words', 'Paint the fence')
    pressEscape()
    assert.deepEqual(closed, ['closed'])
  })

  test('after text was typed into a form dialog, the first Escape only warns and the second one closes the dialog', () => {
    const closed = renderFormDialog()
    write('Words', 'Paint the fence')
    pressEscape()
    assert.ok(isShown(/What you typed is not saved/))
    assert.deepEqual([field('Words').value, closed], ['Paint the fence', []])
    write('Words', 'Paint the fence green')
    assert.equal(isShown(/is not saved/), false)
    pressEscape()
    pressEscape()
    assert.deepEqual(closed, ['closed'])
  })
})
