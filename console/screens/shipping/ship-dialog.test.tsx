import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Connections, DeployState, Project } from '@slipway/sdk/client/types.gen.ts'
import { screen } from '@testing-library/react'
import { connectionsQuery } from '../../api/organization/connections.ts'
import { queryClient } from '../../api/request/query-client.ts'
import {
  assertAlert,
  button,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
} from '../../testing/console.tsx'
import { ShipDialog } from './ship-dialog.tsx'

const project = { id: 'prj_1', name: 'Plants' } as Project
const SHIP_PROJECT = 'POST /projects/prj_1/deploy'
const READ_DEPLOYMENT = 'GET /projects/prj_1/deploy'
const neverShipped: DeployState = {
  state: 'none',
  url: null,
  sha: null,
  builtSha: 'abc1234def',
  upToDate: false,
  deployedAt: null,
  error: null,
  move: null,
}
const liveState: DeployState = {
  ...neverShipped,
  state: 'live',
  url: 'https://plants.example.com',
  sha: 'abc1234def',
  upToDate: true,
}

/** Renders the dialog for a deployment in state `before`. The request to deploy responds with `answer`. */
function renderShipDialog(before: DeployState, answer: () => unknown) {
  let now: unknown = before
  const calls = serve({
    [READ_DEPLOYMENT]: () => now,
    [SHIP_PROJECT]: async () => {
      const shipped = await answer()
      if (!(shipped instanceof Refusal)) now = shipped
      return shipped
    },
  })
  queryClient.setQueryData(connectionsQuery().queryKey, {
    cloudflare: { profile: 'user' },
  } as unknown as Connections)
  show(<ShipDialog project={project} deployment={before} onClose={() => {}} />)
  return calls
}

describe('the ship dialog', () => {
  test('before the first deployment the ship dialog says that everyone with the address can open the app', async () => {
    const calls = renderShipDialog(neverShipped, () => liveState)
    assert.ok(isShown(/Everyone with the address can open it/))
    await untilSent()
    assert.equal(calls[SHIP_PROJECT]?.length, 0)
  })

  test('before a later deployment the ship dialog says that the live app is replaced and keeps its data', () => {
    renderShipDialog({ ...liveState, builtSha: 'fff0000aaa', upToDate: false }, () => liveState)
    assert.ok(isShown('The version below replaces the live app. Its data stays.'))
  })

  test("after a successful deployment the ship dialog shows the app's address", async () => {
    renderShipDialog(neverShipped, () => liveState)
    press('Ship project')
    assert.ok(await screen.findByRole('heading', { name: 'Your app is live' }))
    assert.equal(
      screen.getByRole('link', { name: 'Live address: plants.example.com' }).getAttribute('href'),
      liveState.url,
    )
  })

  test('clicking the deploy button twice starts one deployment', async () => {
    const { promise, resolve } = Promise.withResolvers<DeployState>()
    const calls = renderShipDialog(neverShipped, () => promise)
    press('Ship project')
    await screen.findByRole('button', { name: /Shipping/ })
    press(/Shipping/)
    await untilSent()
    assert.equal(calls[SHIP_PROJECT]?.length, 1)
    resolve(liveState)
    await screen.findByRole('heading', { name: 'Your app is live' })
  })

  test('while a deployment takes long, the ship dialog says that the page can be left', async () => {
    renderShipDialog(neverShipped, () => ({ ...neverShipped, state: 'deploying' }))
    press('Ship project')
    assert.ok(await screen.findByText('Still shipping. You can leave this page.'))
  })

  test('when the service refuses to deploy, the ship dialog shows the reason and offers a retry', async () => {
    renderShipDialog(neverShipped, () => new Refusal(409, 'conflict', 'A build is running.'))
    press('Ship project')
    await assertAlert(/Shipping failed.*conflict/)
    assert.equal((button('Ship project') as HTMLButtonElement).disabled, false)
  })

  test('when a deployment fails, the ship dialog says that the earlier version is still live', async () => {
    const before = { ...liveState, builtSha: 'fff0000aaa', upToDate: false }
    renderShipDialog(before, () => ({ ...before, state: 'error', error: 'The app did not respond.' }))
    press('Ship project')
    await assertAlert(/The app did not respond\. What was live before is still live\./)
  })
})
