import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Connections } from '@slipway/sdk/client/types.gen.ts'
import { screen } from '@testing-library/react'
import { connectionsText } from '../../../text/connections.en.ts'
import { button, press, serve, show } from '../../../testing/console.tsx'
import { ConnectionCard } from './connection-card.tsx'

const connection = {
  connected: true,
  status: 'connected',
  profile: 'local',
  method: 'oauth',
  signIns: [],
  scopes: [],
  missingScopes: [],
} as unknown as Connections['cloudflare']

const renderConnectionCard = (reason: string | null, account: 'choose' | 'change') => {
  serve({ 'GET /connections/cloudflare/accounts': () => ({ accounts: [], chosen: null, locked: null }) })
  show(
    <ConnectionCard
      provider="cloudflare"
      icon={null}
      connection={connection}
      facts={[]}
      account={account}
      startChoosing
      reason={reason}
      onDisconnected={() => {}}
    />,
  )
}

describe('the card of a connection', () => {
  for (const [account, label] of [
    ['change', 'Change the account'],
    ['choose', 'Choose the account'],
  ] as const)
    test(`a member cannot press “${label}”, and the button says why`, () => {
      renderConnectionCard(connectionsText.membersOnly, account)
      assert.equal(button(label).getAttribute('aria-disabled'), 'true')
      assert.equal(button(label).getAttribute('aria-description'), connectionsText.membersOnly)
      press(label)
      assert.ok(screen.queryByRole('dialog') === null)
    })

  test('an admin can open the dialog that changes the cloud account', async () => {
    renderConnectionCard(null, 'change')
    press('Change the account')
    await screen.findByRole('dialog')
  })
})
