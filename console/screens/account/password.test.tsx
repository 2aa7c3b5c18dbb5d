import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, screen, waitFor } from '@testing-library/react'
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
  untilSent,
  write,
} from '../../testing/console.tsx'
import { Password } from './password.tsx'
import { Profile } from './profile.tsx'

const CHANGE_PASSWORD = 'POST /api/auth/change-password'
const LIST_ACCOUNTS = 'GET /api/auth/list-accounts'
const UPDATE_USER = 'POST /api/auth/update-user'

describe('the change of a password', () => {
  async function open(answer: () => unknown = () => null, providers = ['credential']) {
    const accounts = providers.map((providerId) => ({ providerId }))
    const calls = serve({ [LIST_ACCOUNTS]: () => accounts, [CHANGE_PASSWORD]: answer })
    show(<Password email="ada@example.test" />)
    await waitFor(() => assert.equal(calls[LIST_ACCOUNTS]?.length, 1))
    return calls
  }
  const fill = (current: string, next: string) => {
    write('Current password', current)
    write('New password', next)
    press('Change password')
  }

  test('a password change requests the sign-out of all other browsers, shows a confirmation and empties the password fields', async () => {
    const calls = await open()
    fill('the old one', 'a much better one')
    assert.ok(await findMessage('Password changed. Every other browser is signed out.'))
    const input = { currentPassword: 'the old one', newPassword: 'a much better one' }
    assert.deepEqual(sent(calls, CHANGE_PASSWORD), [{ ...input, revokeOtherSessions: true }])
    assert.deepEqual([field('Current password').value, field('New password').value], ['', ''])
  })

  test('the password form marks missing and short values, focuses the first such field and sends nothing', async () => {
    const calls = await open()
    fill('', 'short')
    assert.ok(isShown('Enter the password you have now.'))
    assert.equal(field('New password').getAttribute('aria-invalid'), 'true')
    assert.ok(document.activeElement === field('Current password'))
    fill('a much better one', 'a much better one')
    assert.ok(isShown('This is the password you have now.'))
    await untilSent()
    assert.deepEqual(calls[CHANGE_PASSWORD], [])
  })

  test('a wrong current password is marked at its field, which takes the focus, and the new password stays', async () => {
    await open(() => new Refusal(400, 'INVALID_PASSWORD', 'Invalid password'))
    fill('not this one', 'a much better one')
    await waitFor(() => assert.equal(field('Current password').getAttribute('aria-invalid'), 'true'))
    assert.ok(document.activeElement === field('Current password'))
    assert.equal(field('New password').value, 'a much better one')
    assert.ok(!isThere('alert'))
  })

  test('a rate-limited password change shows the request id and keeps the fields', async () => {
    await open(() => new Refusal(429, 'rate_limited', 'Too many tries.'))
    fill('the old one', 'a much better one')
    await assertAlert(/The password was not changed.*req_test/)
    assert.equal(field('Current password').value, 'the old one')
  })

  test('an account with single sign-on has no password form', async () => {
    await open(undefined, ['sso'])
    assert.ok(await screen.findByText('You sign in through your organization and have no password here.'))
    assert.ok(!isThere('button', 'Change password'))
  })
})

describe('the name of the user', () => {
  const user = {
    id: 'usr_1',
    name: 'Ada',
    email: 'ada@example.test',
    emailVerified: true,
    twoFactorEnabled: null,
    createdAt: '2026-01-01T00:00:00Z',
  }
  function open(answer: () => unknown = () => null) {
    const calls = serve({ [UPDATE_USER]: answer })
    show(<Profile user={user} />)
    return calls
  }

  test('a new name of the user is saved without surrounding spaces, and a message confirms it', async () => {
    const calls = open()
    write('Name', '  Ada Lovelace ')
    press('Save name')
    assert.ok(await findMessage('Name saved.'))
    assert.deepEqual(sent(calls, UPDATE_USER), [{ name: 'Ada Lovelace' }])
  })

  test('an empty name of the user is not sent, and the name field takes the focus', async () => {
    const calls = open()
    write('Name', '  ')
    press('Save name')
    assert.ok(isShown('Enter your name.'))
    assert.ok(document.activeElement === field('Name'))
    await untilSent()
    assert.deepEqual(calls[UPDATE_USER], [])
  })

  test('a name of the user that the service refuses stays in its field, and the error shows the request id', async () => {
    open(() => new Refusal(500, 'server_error', 'Failed.'))
    write('Name', 'Ada Lovelace')
    press('Save name')
    await assertAlert(/The name was not saved.*req_test/)
    assert.equal(field('Name').value, 'Ada Lovelace')
  })

  test('a name of the user that was not saved is in its field again after a reload, until it is saved', async () => {
    open()
    write('Name', 'Ada Lovelace')
    cleanup()
    open()
    assert.ok(isShown('Your unsent text is back.'))
    assert.equal(field('Name').value, 'Ada Lovelace')
    press('Save name')
    await waitFor(() => assert.equal(localStorage.length, 0))
  })
})
