import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Capability } from '@slipway/sdk/client/types.gen.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  findMessage,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
} from '../../testing/console.tsx'
import { inDialog, pressInDialog } from '../../testing/dialog.ts'
import { CapabilitySwitch } from './capability-switch.tsx'

const SET_CAPABILITY = 'PUT /projects/prj_1/capabilities/files'

function renderSwitch(enabled: boolean, answer: () => unknown = () => ({ alsoOff: [], unchecked: [] })) {
  const capability = { key: 'files', title: 'Files', enabled, settings: {} } as unknown as Capability
  const calls = serve({ [SET_CAPABILITY]: answer, 'GET /projects/prj_1/capabilities': () => [] })
  show(<CapabilitySwitch projectId="prj_1" capability={capability} />)
  press(enabled ? 'Turn off' : 'Turn on')
  return () => calls[SET_CAPABILITY]?.map(({ body }) => body)
}
const isDialogOpen = () => screen.queryByRole('dialog') !== null

describe('the switch of a capability', () => {
  test('turning on a capability asks for confirmation with the cost and sends one request', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const sent = renderSwitch(false, () => promise)
    assert.ok(inDialog().getByRole('heading', { name: 'Turn on Files?' }))
    assert.ok(isShown(/It is created in your cloud account.*Cost: /))
    await untilSent()
    assert.deepEqual(sent(), [])
    // Find the button only once: while the request is pending, it has another name.
    const turnOn = inDialog().getByRole('button', { name: 'Turn on' })
    fireEvent.click(turnOn)
    await waitFor(() => assert.deepEqual(sent(), [{ enabled: true }]))
    fireEvent.click(turnOn)
    resolve({ enabled: true, alsoOff: [], unchecked: [] })
    await waitFor(() => assert.ok(!isDialogOpen()))
    assert.equal(sent()?.length, 1)
  })

  test('the dialog that turns a capability off says that stored data is kept', async () => {
    const sent = renderSwitch(true)
    assert.ok(isShown('The live app stops using it after the next ship. What it stored is kept.'))
    pressInDialog('Turn off')
    await waitFor(() => assert.deepEqual(sent(), [{ enabled: false }]))
    await waitFor(() => assert.ok(!isDialogOpen()))
  })

  test('cancelling the dialog that turns a capability off sends nothing', async () => {
    const sent = renderSwitch(true)
    pressInDialog('Cancel')
    assert.ok(!isDialogOpen())
    await untilSent()
    assert.deepEqual(sent(), [])
  })

  test('a refused attempt to turn on a capability keeps the dialog open with the reason and the request id', async () => {
    renderSwitch(false, () => new Refusal(409, 'conflict', 'A build is running.'))
    pressInDialog('Turn on')
    await assertAlert(/Nothing was changed.*A build is running\..*req_test/)
    assert.ok(isDialogOpen())
  })

  test('after a capability is turned off, a message names the dependent capabilities that were also turned off', async () => {
    renderSwitch(true, () => ({ title: 'Files', enabled: false, alsoOff: ['assets'], unchecked: [] }))
    pressInDialog('Turn off')
    assert.ok(await findMessage(/Files turned off, and with it /))
  })
})
