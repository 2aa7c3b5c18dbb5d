import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { assertAlert, button, isShown, press, Refusal, sent, serve, show } from '../../../testing/console.tsx'
import { ConnectionAccounts } from './connection-accounts.tsx'

const LIST_ACCOUNTS = 'GET /connections/cloudflare/accounts'
const CHOOSE_ACCOUNT = 'PUT /connections/cloudflare/account'
const accounts = [
  { id: 'acc_1', name: 'Acme' },
  { id: 'acc_2', name: 'Acme tests' },
]
const unlockedAccounts = { accounts, chosen: 'acc_1', locked: null }

async function renderAccounts(answers: Record<string, () => unknown> = {}) {
  const closed: string[] = []
  const calls = serve({ [LIST_ACCOUNTS]: () => unlockedAccounts, [CHOOSE_ACCOUNT]: () => ({}), ...answers })
  show(<ConnectionAccounts onClose={() => closed.push('closed')} />)
  await screen.findByRole('dialog', { name: 'Choose the Cloudflare account' })
  return { calls, closed }
}
const accountOption = (name: RegExp) => screen.findByRole<HTMLInputElement>('radio', { name })
const canUse = () => button(/Use this account/).getAttribute('aria-disabled') !== 'true'

describe('the choice of the cloud account', () => {
  test('the cloud account in use is selected, and “Use this account” is enabled only for another account', async () => {
    const { calls, closed } = await renderAccounts()
    assert.equal((await accountOption(/^Acme *acc_1/)).checked, true)
    assert.equal(canUse(), false)
    fireEvent.click(await accountOption(/acc_2/))
    press('Use this account')
    await waitFor(() => assert.deepEqual(closed, ['closed']))
    assert.deepEqual(sent(calls, CHOOSE_ACCOUNT), [{ accountId: 'acc_2' }])
  })

  test('when the cloud account has a deployed project, no other account can be chosen, and the dialog gives the reason', async () => {
    await renderAccounts({ [LIST_ACCOUNTS]: () => ({ ...unlockedAccounts, locked: 'acc_1' }) })
    assert.equal((await accountOption(/acc_2/)).disabled, true)
    assert.equal((await accountOption(/acc_1/)).disabled, false)
    assert.ok(isShown(/no other can be chosen. Delete those projects first/))
  })

  test('when a connection gives access to no cloud account, the dialog asks to connect again and to grant access to one', async () => {
    await renderAccounts({ [LIST_ACCOUNTS]: () => ({ accounts: [], chosen: null, locked: null }) })
    assert.ok(
      await screen.findByText('This connection has access to no account. Connect again and grant one.'),
    )
    assert.equal(canUse(), false)
  })

  test('when the cloud accounts cannot be loaded, an alert shows the request id and offers a retry', async () => {
    const answers: unknown[] = [new Refusal(403, 'forbidden', 'You may not.')]
    await renderAccounts({ [LIST_ACCOUNTS]: () => answers.shift() ?? unlockedAccounts })
    await assertAlert(/You may not.*req_test/)
    press('Try again')
    assert.ok(await accountOption(/acc_2/))
  })

  test('two presses choose a cloud account once, and a refusal takes the focus and keeps the selection', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { calls, closed } = await renderAccounts({ [CHOOSE_ACCOUNT]: () => promise })
    fireEvent.click(await accountOption(/acc_2/))
    press('Use this account')
    await waitFor(() => assert.equal(calls[CHOOSE_ACCOUNT]?.length, 1))
    press(/Use this account/)
    resolve(new Refusal(409, 'conflict', 'A ship is running.'))
    await assertAlert(/The account was not changed.*A ship is running.*req_test/)
    assert.equal(document.activeElement?.role, 'alert')
    assert.equal((await accountOption(/acc_2/)).checked, true)
    assert.deepEqual([calls[CHOOSE_ACCOUNT]?.length, closed], [1, []])
  })
})
