import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { connectionsQuery } from '../../../api/organization/connections.ts'
import { queryClient } from '../../../api/request/query-client.ts'
import {
  assertAlert,
  button,
  isShown,
  isThere,
  press,
  readAgain,
  Refusal,
  serve,
  showAt,
} from '../../../testing/console.tsx'
import { Connections } from './connections.tsx'

const LIST = 'GET /connections'
const NONE = { connected: false, status: 'none', profile: null, signIns: [], scopes: [], missingScopes: [] }
const connected = (part: object = {}) => ({
  ...NONE,
  connected: true,
  status: 'connected',
  profile: 'real',
  ...part,
})
const CLOUD = { ...NONE, account: null, method: null }
const HOST = { ...NONE, login: null }

interface Given {
  cloudflare?: object
  github?: object
  role?: string
}

/** Opens the page. `answer` returns the current connections. */
async function open(answer: () => Given | Refusal, address = '/settings/connections') {
  serve({
    [LIST]: () => {
      const now = answer()
      return now instanceof Refusal
        ? now
        : {
            role: 'owner',
            ...now,
            cloudflare: { ...CLOUD, ...now.cloudflare },
            github: { ...HOST, ...now.github },
          }
    },
    'GET /connections/cloudflare/moves': () => [],
    'DELETE /connections/github': () => ({ revoked: true }),
    'GET /connections/cloudflare/accounts': () => ({ accounts: [], chosen: null, locked: null }),
  })
  await showAt('/app/settings/connections', Connections, address)
}
const facts = () =>
  screen.queryAllByRole('term').map((term) => `${term.textContent}: ${term.nextElementSibling?.textContent}`)

describe('the connected accounts', () => {
  test('a cloud account shows its name, the address of its apps and how it was connected, and a code host shows its login', async () => {
    await open(() => ({
      cloudflare: connected({ account: { id: 'acc_1', name: 'Acme', subdomain: 'acme' }, method: 'token' }),
      github: connected({ login: 'ada' }),
    }))
    await waitFor(() =>
      assert.deepEqual(facts(), [
        'Account: Acme',
        'Apps at: *.acme.workers.dev',
        'Connected by: API token',
        'Account: ada',
      ]),
    )
  })

  test('a forged URL does not make the page say that an account is connected while none is', async () => {
    await open(() => ({}), '/settings/connections?connected=cloudflare')
    assert.equal((await screen.findAllByText('Not connected')).length, 2)
    assert.equal(isShown('Cloudflare is connected.'), false)
    cleanup()
    queryClient.clear()
    await open(() => ({ cloudflare: connected() }), '/settings/connections?connected=cloudflare')
    assert.ok(await screen.findByText('Cloudflare is connected.'))
  })

  test('a cloud account without a name is shown by its id, and the local cloud shows no address for apps', async () => {
    await open(() => ({
      cloudflare: connected({ account: { id: 'acc_1', name: null, subdomain: 'acme' }, profile: 'local' }),
    }))
    await waitFor(() => assert.deepEqual(facts(), ['Account: acc_1']))
  })

  test('the message about a removed connection is gone once the account is connected again', async () => {
    let github: object = connected({ login: 'ada' })
    await open(() => ({ github }))
    await waitFor(() => button('Disconnect'))
    press('Disconnect')
    await waitFor(() => button('Disconnect account'))
    github = {}
    press('Disconnect account')
    const message = 'GitHub is disconnected and its access was revoked.'
    await screen.findByText(message)
    github = connected({ login: 'ada' })
    await readAgain(connectionsQuery().queryKey)
    assert.equal(isShown(message), false)
  })

  test('when the connections cannot be loaded, the connections page shows the reason, and a retry shows them', async () => {
    let isAway = true
    await open(() => (isAway ? new Refusal(400, 'invalid_request', 'Not now.') : {}))
    await assertAlert(/Not now/)
    isAway = false
    press('Try again')
    await waitFor(() => assert.equal(screen.getAllByText('Not connected').length, 2))
  })

  test('after a sign-in at the cloud provider without a chosen account, the dialog for choosing one opens', async () => {
    await open(() => ({ cloudflare: connected({ account: null }) }), '/settings/connections?choose=account')
    await screen.findByRole('dialog')
  })

  test('for a member the dialog for choosing a cloud account does not open', async () => {
    await open(
      () => ({ cloudflare: connected({ account: null }), role: 'member' }),
      '/settings/connections?choose=account',
    )
    await waitFor(() => button('Choose the account'))
    assert.equal(isThere('dialog'), false)
  })
})
