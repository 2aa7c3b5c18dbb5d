import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Capability } from '@slipway/sdk/client/types.gen.ts'
import { waitFor } from '@testing-library/react'
import { isShown, press, Refusal, sent, serve, show, untilSent } from '../../testing/console.tsx'
import { CapabilityStatus } from './capability-status.tsx'

const capabilityWith = (change: Partial<Capability> = {}): Capability => ({
  key: 'hook',
  title: 'Incoming webhooks',
  enabled: true,
  provision: { state: 'idle', error: null },
  resource: null,
  settings: {},
  alsoOff: [],
  unchecked: [],
  keyCheck: null,
  ...change,
})

const MISSING_SETTINGS = [
  { key: 'hook', reason: 'The endpoint pay has no secret.' },
  { key: 'pay', reason: 'Stripe key is not set.' },
]

const SET = 'PUT /projects/prj_1/capabilities/hook'
const READ_READINESS = 'GET /projects/prj_1/deploy/readiness'

/** Shows the state of a capability. Returns a function that counts the requests of a route. */
function renderStatus(shown: Capability, readiness: () => unknown, stored = shown) {
  const calls = serve({
    [READ_READINESS]: readiness,
    'GET /projects/prj_1/capabilities': () => [],
    'GET /projects/prj_1/capabilities/hook': () => stored,
    [SET]: () => capabilityWith(),
  })
  show(<CapabilityStatus projectId="prj_1" capability={shown} />)
  return Object.assign((route: string) => calls[route]?.length ?? 0, { set: () => sent(calls, SET) })
}
const FAILED_PROBES = [{ key: 'hook', reason: 'The objects do not answer.' }]
const notReady = () => ({
  readiness: { ready: false, warming: [], failed: FAILED_PROBES, missing: MISSING_SETTINGS },
})

describe('the state of a capability', () => {
  test('the status of a capability shows its own failed checks and missing settings, but no others', async () => {
    renderStatus(capabilityWith(), notReady)
    await waitFor(() => assert.ok(isShown('The endpoint pay has no secret.')))
    assert.ok(isShown('The objects do not answer.'))
    assert.ok(!isShown('Stripe key is not set.'))
  })

  test('the page of a disabled capability requests no readiness check, and a failed readiness check shows no error', async () => {
    const asked = renderStatus(capabilityWith({ enabled: false }), notReady)
    await untilSent()
    assert.equal(asked(READ_READINESS), 0)
    const failing = renderStatus(capabilityWith(), () => new Refusal(409, 'conflict', 'not now'))
    await waitFor(() => assert.equal(failing(READ_READINESS), 1))
    assert.ok(!isShown(/not now/))
  })

  test('a capability that could not be set up shows the reason once and can be set up again', async () => {
    const error = { code: 'upstream', message: 'Cloudflare did not respond.' }
    const asked = renderStatus(capabilityWith({ provision: { state: 'error', error } }), notReady)
    assert.ok(isShown('Cloudflare did not respond.'))
    await waitFor(() => assert.ok(isShown('The endpoint pay has no secret.')))
    assert.ok(!isShown('The objects do not answer.'), 'its error is shown already')
    press('Set it up again')
    await waitFor(() => assert.deepEqual(asked.set(), [{ enabled: true }]))
  })

  test('setting a capability up again does not turn it on when another member has turned it off meanwhile', async () => {
    const error = { code: 'upstream', message: 'Cloudflare did not respond.' }
    const broken = capabilityWith({ provision: { state: 'error', error } })
    const asked = renderStatus(broken, notReady, { ...broken, enabled: false })
    press('Set it up again')
    await waitFor(() => assert.deepEqual(asked.set(), [{ enabled: false }]))
  })
})
