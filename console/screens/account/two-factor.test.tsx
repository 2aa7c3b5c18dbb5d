import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import {
  assertAlert,
  field,
  findMessage,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  show,
  showAt,
  untilSent,
  write,
} from '../../testing/console.tsx'
import { PasskeyRow } from './passkey-row.tsx'
import { TwoFactorSettings } from './two-factor.tsx'

const LIST_ACCOUNTS = 'GET /api/auth/list-accounts'
const TURN_OFF = 'POST /api/auth/two-factor/disable'
const RENEW_CODES = 'POST /api/auth/two-factor/generate-backup-codes'
const wrongPassword = new Refusal(400, 'INVALID_PASSWORD', 'Invalid password')

async function renderTwoFactor(answers: Record<string, () => unknown> = {}, providers = ['credential']) {
  const calls = serve({
    [LIST_ACCOUNTS]: () => providers.map((providerId) => ({ providerId })),
    [TURN_OFF]: () => null,
    [RENEW_CODES]: () => ({ backupCodes: ['aaaa-1111', 'bbbb-2222'] }),
    ...answers,
  })
  show(<TwoFactorSettings isOn />)
  return calls
}
/** Presses the button `opener` and returns the dialog that opens. */
async function openDialog(opener: string, title: string) {
  press(opener)
  const dialog = within(await screen.findByRole('dialog', { name: title }))
  return { send: (name: string) => fireEvent.click(dialog.getByRole('button', { name })) }
}
const openTurnOff = () => openDialog('Turn off', 'Turn off two-factor?')

describe('the second factor of an account', () => {
  test('turning off two-factor asks for the password, warns about the backup codes and confirms the result', async () => {
    const calls = await renderTwoFactor()
    const { send } = await openTurnOff()
    assert.ok(isShown(/your backup codes stop working/))
    write('Your password', 'the password')
    send('Turn off two-factor')
    assert.ok(await findMessage('Two-factor is off.'))
    assert.deepEqual(sent(calls, TURN_OFF), [{ password: 'the password' }])
    assert.ok(!isThere('dialog'))
    assert.equal(
      document.activeElement?.textContent,
      'Two-factor authentication',
      'the focus stays on the page',
    )
  })

  test('two-factor is not turned off without a password, and the password field takes the focus', async () => {
    const calls = await renderTwoFactor()
    const { send } = await openTurnOff()
    send('Turn off two-factor')
    assert.ok(await screen.findByText('Enter your password.'))
    assert.ok(document.activeElement === field('Your password'))
    await untilSent()
    assert.deepEqual(calls[TURN_OFF], [])
  })

  test('a wrong password is reported at its field until the two-factor dialog is closed', async () => {
    await renderTwoFactor({ [TURN_OFF]: () => wrongPassword })
    const { send } = await openTurnOff()
    write('Your password', 'not this')
    send('Turn off two-factor')
    await waitFor(() => assert.equal(field('Your password').getAttribute('aria-invalid'), 'true'))
    press('Cancel')
    await waitFor(() => assert.ok(!isThere('dialog')))
    await openTurnOff()
    assert.equal(field('Your password').getAttribute('aria-invalid'), 'false')
  })

  test('new backup codes stay visible on Escape until the person has saved them', async () => {
    await renderTwoFactor()
    const { send } = await openDialog('New backup codes', 'Make new backup codes?')
    assert.ok(isShown('The codes you have now stop working at once.'))
    write('Your password', 'the password')
    send('Make new codes')
    assert.ok(await screen.findByText('aaaa-1111'))
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
    assert.ok(isShown('aaaa-1111'), 'Escape does not lose what is shown only now')
    press('I have saved them')
    await waitFor(() => assert.ok(!isShown('aaaa-1111')))
  })

  test('the account page cannot be left from the request for new backup codes until the person has saved them', async () => {
    const held = Promise.withResolvers<unknown>()
    serve({
      [LIST_ACCOUNTS]: () => [{ providerId: 'sso' }],
      [RENEW_CODES]: () => held.promise,
    })
    const page = await showAt('/app/account', () => <TwoFactorSettings isOn />, '/account')
    const { send } = await openDialog('New backup codes', 'Make new backup codes?')
    await waitFor(() => assert.equal(screen.queryByLabelText('Your password') === null, true))
    send('Make new codes')
    await untilSent()
    await page.go('/projects')
    held.resolve({ backupCodes: ['aaaa-1111'] })
    assert.ok(await screen.findByText('aaaa-1111'))
    await page.go('/projects')
    assert.equal(page.place(), '/account')
    press('I have saved them')
    await waitFor(() => assert.ok(!isShown('aaaa-1111')))
    await page.go('/projects')
    assert.equal(page.place(), '/projects')
  })

  test('an account with single sign-on turns off two-factor without a password', async () => {
    const calls = await renderTwoFactor({}, ['sso'])
    const { send } = await openTurnOff()
    await waitFor(() => assert.equal(screen.queryByLabelText('Your password') === null, true))
    send('Turn off two-factor')
    assert.ok(await findMessage('Two-factor is off.'))
    assert.deepEqual(sent(calls, TURN_OFF), [{}])
  })
})

describe('a passkey of the account', () => {
  const RENAME = 'POST /api/auth/passkey/update-passkey'
  const REMOVE = 'POST /api/auth/passkey/delete-passkey'
  const passkey = { id: 'pk_1', name: 'Laptop', createdAt: '2026-01-01T00:00:00Z', backedUp: false }
  function openRow(answers: Record<string, () => unknown> = {}) {
    const calls = serve({ [RENAME]: () => null, [REMOVE]: () => null, ...answers })
    show(<PasskeyRow passkey={passkey} />)
    return calls
  }

  test('a passkey that exists on one device only is labelled as such and can be renamed', async () => {
    const calls = openRow()
    assert.ok(isShown(/on one device only/))
    const { send } = await openDialog('Rename: Laptop', 'Rename this passkey')
    assert.equal(field('Name').value, 'Laptop')
    write('Name', ' Work laptop ')
    send('Save name')
    await waitFor(() => assert.ok(!isThere('dialog')))
    assert.deepEqual(sent(calls, RENAME), [{ id: 'pk_1', name: 'Work laptop' }])
  })

  test('a refused passkey name stays in its field, and the error is gone when the dialog is opened again', async () => {
    openRow({ [RENAME]: () => new Refusal(403, 'FORBIDDEN', 'You may not.') })
    const { send } = await openDialog('Rename: Laptop', 'Rename this passkey')
    write('Name', 'Work laptop')
    send('Save name')
    await assertAlert(/The name was not saved.*req_test/)
    assert.equal(field('Name').value, 'Work laptop')
    press('Cancel')
    await waitFor(() => assert.ok(!isThere('dialog')))
    await openDialog('Rename: Laptop', 'Rename this passkey')
    assert.ok(!isThere('alert'))
  })

  test('removing a passkey asks for confirmation and reminds the person to delete it on the device too', async () => {
    const calls = openRow()
    const { send } = await openDialog('Remove: Laptop', 'Remove Laptop?')
    assert.ok(isShown(/Delete it on the device or in your password manager too/))
    await untilSent()
    assert.deepEqual(calls[REMOVE], [])
    send('Remove passkey')
    await waitFor(() => assert.deepEqual(sent(calls, REMOVE), [{ id: 'pk_1' }]))
  })
})
