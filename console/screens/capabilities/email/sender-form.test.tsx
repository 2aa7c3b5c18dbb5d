import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EmailStatus } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  field,
  isThere,
  press,
  readAgain,
  Refusal,
  sent,
  serve,
  show,
  write,
} from '../../../testing/console.tsx'
import { emailQuery } from './query.ts'
import { SenderForm } from './sender-form.tsx'

const ONBOARD = 'POST /projects/prj_1/email/onboard'
const STATUS = 'GET /projects/prj_1/email/status'
const zone = (id: string, status = 'active') => ({ id, name: `${id}.example`, status })
const statusWith = (zones: object[], sending: object = {}) =>
  ({
    zones,
    sending: { zoneId: null, domain: null, state: 'none', localPart: null, from: null, dns: [], ...sending },
    mailboxes: [],
    routing: 'none',
    collections: [],
  }) as unknown as EmailStatus

/** Shows the form. `status` is the email status that the service returns, `answer` its response to “Set up”. */
function renderForm(status: () => EmailStatus, answer: () => unknown = status) {
  const did: string[] = []
  const calls = serve({ [STATUS]: status, [ONBOARD]: answer })
  function Host() {
    const { data } = useQuery(emailQuery('prj_1'))
    return data ? <SenderForm projectId="prj_1" status={data} onDone={() => did.push('done')} /> : null
  }
  show(<Host />)
  return { did, sent: () => sent(calls, ONBOARD) }
}

describe('the form that chooses the sender of an app', () => {
  test('the first active mail domain is selected when the app has no sender yet', async () => {
    renderForm(() => statusWith([zone('z1', 'pending'), zone('z2'), zone('z3')]))
    await waitFor(() => assert.equal(field('Domain').value, 'z2'))
    assert.deepEqual(
      screen.getAllByRole('option').map((option) => option.textContent),
      ['z1.example (not active yet)', 'z2.example', 'z3.example'],
    )
    assert.equal(field('Sender').value, 'hello')
  })

  test('the sender form starts with the domain and sender in use, and keeps the sender when another domain is chosen', async () => {
    const { did, sent } = renderForm(() =>
      statusWith([zone('z1'), zone('z2')], { zoneId: 'z2', localPart: 'office' }),
    )
    await waitFor(() => assert.deepEqual([field('Domain').value, field('Sender').value], ['z2', 'office']))
    write('Domain', 'z1')
    press('Set up')
    await waitFor(() => assert.deepEqual(did, ['done']))
    assert.deepEqual(sent(), [{ zoneId: 'z1', localPart: 'office' }])
  })

  test('a mail domain that is added to the cloud account while the sender form lists none is selected and sent', async () => {
    let zones: object[] = []
    const { sent } = renderForm(() => statusWith(zones))
    await screen.findByText(/has no domain/)
    assert.equal(isThere('button', 'Set up'), false)
    zones = [zone('z1')]
    await readAgain(emailQuery('prj_1').queryKey)
    assert.equal(field('Domain').value, 'z1')
    press('Set up')
    await waitFor(() => assert.deepEqual(sent(), [{ zoneId: 'z1', localPart: 'hello' }]))
  })

  test('when the mail domain in use is no longer in the cloud account, the first active domain is sent instead', async () => {
    const { sent } = renderForm(() => statusWith([zone('z1')], { zoneId: 'z_gone' }))
    await waitFor(() => assert.equal(field('Domain').value, 'z1'))
    press('Set up')
    await waitFor(() => assert.deepEqual(sent(), [{ zoneId: 'z1', localPart: 'hello' }]))
  })

  test('a sender that the service rejects is marked at its field and keeps its text', async () => {
    const { did } = renderForm(
      () => statusWith([zone('z1')]),
      () => new Refusal(400, 'invalid_request', 'localPart: must have no spaces'),
    )
    await waitFor(() => field('Sender'))
    write('Sender', 'the office')
    press('Set up')
    await waitFor(() => assert.equal(field('Sender').getAttribute('aria-invalid'), 'true'))
    assert.equal(field('Sender').value, 'the office')
    assert.equal(isThere('alert'), false)
    assert.deepEqual(did, [])
  })

  test('a refusal of the mail settings that does not concern the sender is shown above the form', async () => {
    renderForm(
      () => statusWith([zone('z1')]),
      () => new Refusal(409, 'conflict', 'z1.example is not active yet.'),
    )
    await waitFor(() => field('Sender'))
    press('Set up')
    await assertAlert(/not active yet/)
  })
})
