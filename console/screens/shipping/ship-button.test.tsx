import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Connections, DeployState } from '@slipway/sdk/client/types.gen.ts'
import { screen } from '@testing-library/react'
import { connectionsQuery } from '../../api/organization/connections.ts'
import { queryClient } from '../../api/request/query-client.ts'
import { isShown, press, serve, show } from '../../testing/console.tsx'
import { live, project } from './live-app.test.fixture.ts'
import { ShipButton } from './ship-button.tsx'

function renderShipButton(deployment: DeployState) {
  const calls = serve({
    'GET /projects/prj_1/deploy': () => deployment,
    'POST /projects/prj_1/deploy': () => deployment,
  })
  queryClient.setQueryData(connectionsQuery().queryKey, {
    cloudflare: { profile: 'user' },
  } as unknown as Connections)
  show(<ShipButton project={project} ticketId={null} long />)
  return calls['POST /projects/prj_1/deploy']
}

describe('the ship button', () => {
  test('the live version can be deployed again, so that changed settings of its capabilities take effect', async () => {
    const ships = renderShipButton(live)
    await screen.findByRole('button', { name: 'Ship again' })
    press('Ship again')
    await screen.findByText(/Shipping it again brings what you changed under Capabilities/)
    assert.equal(isShown('Will be live'), false)
    press('Ship project')
    await screen.findByText('Your app is live')
    assert.equal(ships?.length, 1)
  })

  test('when a build is newer than the live version, the ship button offers to deploy it', async () => {
    renderShipButton({ ...live, builtSha: 'fff0000aaa', upToDate: false })
    await screen.findByRole('button', { name: 'Ship project' })
  })

  test('an app that will move to another cloud account can be deployed, and the ship dialog says that it starts there empty', async () => {
    const move = { state: 'waiting', liveData: 'leave' } as DeployState['move']
    renderShipButton({ ...live, move })
    await screen.findByRole('button', { name: 'Ship project' })
    press('Ship project')
    await screen.findByText(/moves to the connected account .* It starts empty/)
  })

  test('for an app without a build, the deploy button says that something must be built first', async () => {
    renderShipButton({ ...live, state: 'none', url: null, sha: null, builtSha: null, upToDate: false })
    const button = await screen.findByRole('button', { name: 'Ship project' })
    assert.equal(button.getAttribute('aria-description'), 'Build something first')
  })
})
