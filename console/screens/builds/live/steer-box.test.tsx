import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  field,
  isShown,
  press,
  Refusal,
  sent,
  serve,
  show,
  write,
} from '../../../testing/console.tsx'
import { SteerBox } from './steer-box.tsx'

const STEER_BUILD = 'POST /projects/prj_1/tickets/tkt_1/build/steer'
const LABEL = 'Correct this build'

function renderSteerBox(answer: () => unknown = () => ({ delivery: 'this_build' })) {
  const calls = serve({ [STEER_BUILD]: answer })
  const { unmount } = show(<SteerBox projectId="prj_1" ticketId="tkt_1" />)
  return { calls, unmount }
}
const submitSteer = () => fireEvent.keyDown(field(LABEL), { key: 'Enter' })

describe('the box that steers a build', () => {
  test('Enter sends a message to the running build, and the field is empty after the service has accepted it', async () => {
    const { calls } = renderSteerBox()
    write(LABEL, ' Use blue ')
    submitSteer()
    await waitFor(() => assert.equal(field(LABEL).value, ''))
    assert.deepEqual(sent(calls, STEER_BUILD), [{ text: 'Use blue' }])
    assert.ok(isShown('The build reads this before its next step.'))
  })

  test('a message that is too late for the running build is shown as the first message for the next build', async () => {
    renderSteerBox(() => ({ delivery: 'next_build' }))
    write(LABEL, 'Use blue')
    submitSteer()
    assert.ok(await screen.findByText('Too late for this build: the next one reads it first'))
  })

  test('Enter and the button send a message to the running build only once while the first request is pending', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { calls } = renderSteerBox(() => promise)
    write(LABEL, 'Use blue')
    submitSteer()
    await waitFor(() => assert.equal(button('Send to this build').getAttribute('aria-busy'), 'true'))
    submitSteer()
    press('Send to this build')
    resolve({ delivery: 'this_build' })
    await waitFor(() => assert.equal(field(LABEL).value, ''))
    assert.equal(calls[STEER_BUILD]?.length, 1)
  })

  test('text that is typed while a message to the running build is being sent stays in the field', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    renderSteerBox(() => promise)
    write(LABEL, 'Use blue')
    submitSteer()
    await waitFor(() => assert.equal(button('Send to this build').getAttribute('aria-busy'), 'true'))
    write(LABEL, 'And larger letters')
    resolve({ delivery: 'this_build' })
    await waitFor(() => assert.equal(button('Send to this build').getAttribute('aria-busy'), null))
    assert.equal(field(LABEL).value, 'And larger letters')
  })

  test('a refused message to the running build stays in the field, and the error shows the reason and the request id', async () => {
    renderSteerBox(() => new Refusal(409, 'conflict', 'No build is running.'))
    write(LABEL, 'Use blue')
    submitSteer()
    await assertAlert(/still in the box.*No build is running.*req_test/)
    assert.equal(field(LABEL).value, 'Use blue')
  })

  test('an unsent message to the running build is restored when its field is mounted again', () => {
    const { unmount } = renderSteerBox()
    write(LABEL, 'Use bl')
    unmount()
    renderSteerBox()
    assert.equal(field(LABEL).value, 'Use bl')
  })
})
