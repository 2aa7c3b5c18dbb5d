import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, screen, waitFor } from '@testing-library/react'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import {
  assertAlert,
  field,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  show,
  write,
} from '../../testing/console.tsx'
import { hasPasswordQuery } from '../../api/account/auth.ts'
import { queryClient } from '../../api/request/query-client.ts'
import { PasswordDialog } from './password-dialog.tsx'

const LIST = 'GET /api/auth/list-accounts'
const withPassword = () => [{ providerId: 'credential' }]
const withoutPassword = () => [{ providerId: 'okta' }]

/** Opens the dialog. Returns the submitted passwords, and how often the dialog was closed. */
async function openDialog(list: () => unknown, error: unknown = null) {
  const passwords: unknown[] = []
  let closed = 0
  const calls = serve({ [LIST]: list })
  show(
    <PasswordDialog
      title="Turn off two-factor?"
      consequence="Codes stop working."
      submit="Turn it off"
      busy={false}
      error={error}
      onSubmit={(password) => passwords.push(password)}
      onClose={() => (closed += 1)}
    />,
  )
  await waitFor(() => assert.equal(calls[LIST]?.length, 1))
  return { passwords, closed: () => closed }
}
const hasField = () => screen.queryByLabelText('Your password') !== null

describe('the dialog that asks for the password', () => {
  test('the password dialog submits the password as typed, and marks an empty one as invalid without submitting it', async () => {
    const { passwords } = await openDialog(withPassword)
    press('Turn it off')
    assert.deepEqual(passwords, [])
    assert.equal(field('Your password').getAttribute('aria-invalid'), 'true')
    assert.ok(document.activeElement === field('Your password'))
    write('Your password', ' two words ')
    press('Turn it off')
    assert.deepEqual(passwords, [' two words '])
  })

  test('a dialog that confirms with a password shows no password field to a user without a password', async () => {
    const { passwords } = await openDialog(withoutPassword)
    await waitFor(() => assert.equal(hasField(), false))
    press('Turn it off')
    assert.deepEqual(passwords, [undefined])
  })

  test('the password dialog reports a wrong password at its field, and not above the form', async () => {
    const { closed } = await openDialog(
      withPassword,
      new SlipwayError('This password is wrong.', { code: 'invalid_password', status: 400 }),
    )
    assert.ok(isShown('This password is wrong.'))
    assert.equal(isThere('alert'), false)
    press('Cancel')
    assert.equal(closed(), 1)
  })

  test('the password dialog shows an error that does not concern the password as an alert', async () => {
    await openDialog(
      withPassword,
      new SlipwayError('Too many attempts.', { code: 'rate_limited', status: 429 }),
    )
    assert.match(screen.getByRole('alert').textContent ?? '', /Too many|too many|often/)
  })

  test('when the password dialog cannot find out whether the account has a password, it shows the error and offers a retry', async () => {
    let list: () => unknown = () => new Refusal(403, 'forbidden', 'You may not.')
    const { passwords } = await openDialog(() => list())
    await assertAlert(/You may not/)
    list = withoutPassword
    press(/again/i)
    await waitFor(() => assert.equal(hasField(), false))
    list = () => new Refusal(403, 'forbidden', 'You may not.')
    await act(() => queryClient.refetchQueries({ queryKey: hasPasswordQuery().queryKey }))
    assert.equal(isThere('alert'), false)
    press('Turn it off')
    assert.deepEqual(passwords, [undefined])
  })
})
