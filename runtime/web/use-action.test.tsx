import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, fireEvent, press, render, screen, waitFor } from '../testing/kit.test.fixture.tsx'
import { ApiError } from '../kernel/errors.ts'
import { useAction } from './use-action.ts'

function Form({ act: send }: { act: () => unknown }) {
  const { busy, problem, onSubmit } = useAction(send)
  return (
    <form onSubmit={onSubmit} aria-label="Note">
      <button aria-busy={busy}>Send</button>
      {problem !== null && (
        <p role="alert">
          {problem.field ?? 'form'}: {problem.text}
        </p>
      )}
    </form>
  )
}
const busyState = () => screen.getByRole('button').getAttribute('aria-busy')
const alertText = () => screen.queryByRole('alert')?.textContent ?? null

describe('an action of a page', () => {
  test("clicking the button of a page's action again while the action is running does not start it a second time", async () => {
    let runs = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    render(
      <Form
        act={() => {
          runs += 1
          return promise
        }}
      />,
    )
    press('Send')
    press('Send')
    fireEvent.submit(screen.getByRole('form'))
    assert.equal(busyState(), 'true')
    assert.equal(runs, 1)
    await act(async () => resolve())
    assert.equal(busyState(), 'false')
    press('Send')
    await waitFor(() => assert.equal(runs, 2))
  })

  test("an action's error that names a field is shown as a readable sentence with that field", async () => {
    render(
      <Form
        act={() => {
          throw new ApiError('invalid_request', 'email: is not an address', { field: 'email' })
        }}
      />,
    )
    press('Send')
    await waitFor(() => assert.equal(alertText(), 'email: This is not an address'))
    assert.equal(busyState(), 'false')
  })

  test("an action's error that names no field is shown word for word, until the next success", async () => {
    const results = [Promise.reject(new Error('The app is busy.')), Promise.resolve()]
    render(<Form act={() => results.shift()} />)
    press('Send')
    await waitFor(() => assert.equal(alertText(), 'form: The app is busy.'))
    press('Send')
    await waitFor(() => assert.equal(busyState(), 'false'))
    assert.equal(alertText(), null)
  })
})
