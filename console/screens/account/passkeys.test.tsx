import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  field,
  findMessage,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  show,
  write,
} from '../../testing/console.tsx'
import { Passkeys } from './passkeys.tsx'

const LIST = 'GET /api/auth/passkey/list-user-passkeys'
const VERIFY = 'POST /api/auth/passkey/verify-registration'
const LAPTOP = { id: 'pk_1', name: 'Laptop', createdAt: '2026-01-01T00:00:00Z', backedUp: true }

class FakeCredential {
  static parseRequestOptionsFromJSON = (options: object) => options
  static parseCreationOptionsFromJSON = (options: object) => options
  toJSON = () => ({ id: 'cred_1' })
}
/** The result of the browser's dialog. */
let create: () => Promise<unknown> = async () => new FakeCredential()

async function showPasskeys(list: () => unknown, verify: () => unknown = () => ({})) {
  const calls = serve({
    [LIST]: list,
    'GET /api/auth/passkey/generate-register-options': () => ({ challenge: 'abc' }),
    [VERIFY]: verify,
  })
  show(<Passkeys />)
  await waitFor(() => assert.equal(calls[LIST]?.length, 1))
  return calls
}
const openDialog = async () => {
  press('Add a passkey')
  await screen.findByRole('dialog')
}

describe('the passkeys of an account', () => {
  beforeEach(() => {
    create = async () => new FakeCredential()
    Object.assign(globalThis, { PublicKeyCredential: FakeCredential })
    Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create: () => create() } })
  })
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
    Reflect.deleteProperty(navigator, 'credentials')
  })

  test('an account without passkeys says that there are none, and a failed read shows an error instead', async () => {
    let answer: unknown = new Refusal(403, 'forbidden', 'You may not.')
    await showPasskeys(() => answer)
    await assertAlert(/You may not/)
    assert.equal(isShown('No passkeys yet'), false)
    answer = []
    press('Try again')
    assert.ok(await screen.findByText('No passkeys yet'))
  })

  test('a new passkey is registered with its trimmed name and appears in the list, and a message confirms it', async () => {
    const passkeys = [[], [LAPTOP]]
    const calls = await showPasskeys(() => passkeys.shift())
    await openDialog()
    write('Name', '  Laptop ')
    press('Continue')
    assert.ok(await findMessage('Passkey added. You can sign in with it from now on.'))
    assert.deepEqual(sent(calls, VERIFY), [{ response: { id: 'cred_1' }, name: 'Laptop' }])
    assert.ok(await screen.findByText('Laptop'))
    assert.equal(isThere('dialog'), false)
  })

  test('a passkey without a name is not registered', async () => {
    const calls = await showPasskeys(() => [])
    await openDialog()
    write('Name', '  ')
    press('Continue')
    assert.ok(isShown('Enter a name.'))
    assert.ok(document.activeElement === field('Name'))
    assert.deepEqual(sent(calls, VERIFY), [])
  })

  test("after the browser's passkey dialog is cancelled, the console's dialog says so, keeps the name and can be resubmitted", async () => {
    create = async () => {
      throw new DOMException('No.', 'NotAllowedError')
    }
    const calls = await showPasskeys(() => [])
    await openDialog()
    write('Name', 'Laptop')
    press('Continue')
    await assertAlert(/No passkey was added.*closed or timed out/)
    create = async () => new FakeCredential()
    assert.equal(field('Name').value, 'Laptop')
    press('Continue')
    await waitFor(() => assert.equal(sent(calls, VERIFY)?.length, 1))
  })

  test('the error of a closed passkey dialog is not shown when the dialog is opened again', async () => {
    await showPasskeys(
      () => [],
      () => new Refusal(400, 'FAILED_TO_VERIFY_REGISTRATION', 'No.'),
    )
    await openDialog()
    press('Continue')
    await assertAlert(/The passkey was refused/)
    press('Cancel')
    await openDialog()
    assert.equal(isThere('alert'), false)
  })

  test('a passkey that is registered after its dialog was closed does not close the passkey dialog that was opened next', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    create = () => promise
    await showPasskeys(() => [])
    await openDialog()
    press('Continue')
    press('Cancel')
    await openDialog()
    write('Name', 'Phone')
    resolve(new FakeCredential())
    await findMessage(/Passkey added/)
    assert.equal(field('Name').value, 'Phone')
  })

  test('in a browser that cannot use passkeys, the button that adds a passkey is disabled and opens no dialog', async () => {
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
    await showPasskeys(() => [])
    assert.equal(button('Add a passkey').getAttribute('aria-disabled'), 'true')
    press('Add a passkey')
    assert.equal(isThere('dialog'), false)
  })
})
