import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { act, fireEvent, screen } from '@testing-library/react'
import { button, isShown, isThere, press, show } from '../../../testing/console.tsx'
import { AddForm } from './add-form.tsx'

interface Shown {
  hint?: string
  missing?: string | null
  isSaving?: boolean
  error?: Error | null
}

function renderAddForm(first: Shown = {}) {
  const sent: string[] = []
  const part = ({ missing = null, isSaving = false, error = null, ...rest }: Shown) => (
    <AddForm
      {...{ missing, isSaving, error, ...rest }}
      title="Add an endpoint"
      submit="Add"
      onSubmit={() => sent.push('sent')}
    >
      <input aria-label="Name" />
    </AddForm>
  )
  const { rerender } = show(part(first))
  return { sent, change: (next: Shown) => rerender(part(next)) }
}
const refusal = (code: string, message: string, status = 400) =>
  new SlipwayError(message, { code, status, requestId: 'req_test' })
const sendForm = () => fireEvent.submit(screen.getByRole('form', { name: 'Add an endpoint' }))

describe('a form that adds an entry to the settings of a capability', () => {
  test('the form that adds an item is named by its title, and shows a hint only where there is one', () => {
    const { change } = renderAddForm({ hint: 'It works at once.' })
    assert.ok(isThere('form', 'Add an endpoint'))
    assert.ok(isThere('heading', 'Add an endpoint'))
    assert.ok(isShown('It works at once.'))
    change({})
    assert.ok(!isShown('It works at once.'))
  })

  test('the form that adds an item names a missing field on its button, and sends nothing until the field is filled', () => {
    const { sent, change } = renderAddForm({ missing: 'Name' })
    assert.equal(button('Add').getAttribute('aria-description'), 'Fill in “Name” first.')
    press('Add')
    assert.deepEqual(sent, [])
    change({})
    press('Add')
    assert.deepEqual(sent, ['sent'])
  })

  test('after an item was added the form is empty and its button keeps the focus', () => {
    const { change } = renderAddForm()
    act(() => button('Add').focus())
    change({ isSaving: true })
    change({ missing: 'Name' })
    assert.ok(document.activeElement === button('Add'))
  })

  test('the form that adds an item is not sent again while it is being saved, neither by its button nor by Enter', () => {
    const { sent } = renderAddForm({ isSaving: true })
    assert.equal(button(/Add/).getAttribute('aria-busy'), 'true')
    press(/Add/)
    sendForm()
    assert.deepEqual(sent, [])
  })

  test('when an item cannot be added, the form shows the path of the setting, the reason, the code and the request id', () => {
    renderAddForm({ error: refusal('invalid_request', 'settings.endpoints: must begin with a small letter') })
    const alert = screen.getByRole('alert').textContent ?? ''
    assert.match(alert, /settings\.endpoints: must begin with a small letter/)
    assert.match(alert, /invalid_request.*req_test/)
    assert.ok(isThere('button', 'Copy the request id'))
  })

  test("when an item cannot be added, the form shows the console's own wording and not the service's internal message", () => {
    const { change } = renderAddForm({ error: refusal('server_error', 'pool is exhausted', 500) })
    assert.doesNotMatch(screen.getByRole('alert').textContent ?? '', /pool is exhausted/)
    assert.match(screen.getByRole('alert').textContent ?? '', /req_test/)
    change({ error: new TypeError('x is not a function') })
    assert.doesNotMatch(screen.getByRole('alert').textContent ?? '', /x is not a function/)
    change({ error: null })
    assert.ok(!isThere('alert'))
  })
})
