import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import { meQuery } from '../../api/account/session.ts'
import { queryClient } from '../../api/request/query-client.ts'
import {
  assertAlert,
  button,
  field,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  showAt,
  untilSent,
  write,
} from '../../testing/console.tsx'
import { Device } from './device.tsx'

const READ_GRANT = 'GET /device/grant'
const APPROVE_DEVICE = 'POST /device/approve'
const DENY_DEVICE = 'POST /device/deny'
const grant = {
  code: 'WDJB-MJHT',
  name: 'Laptop of Ada',
  address: '192.0.2.7',
  scopes: ['projects:read', 'deploy:write'],
}
const me = { user: { id: 'usr_1', name: 'Ada' }, organization: { id: 'org_1', name: 'Acme' }, role: 'owner' }

async function renderDevice(search: string, answers: Record<string, () => unknown> = {}) {
  const calls = serve({
    [READ_GRANT]: () => grant,
    [APPROVE_DEVICE]: () => null,
    [DENY_DEVICE]: () => null,
    'GET /me': () => me,
    ...answers,
  })
  queryClient.setQueryData(meQuery().queryKey, me as never)
  const { place } = await showAt('/device', Device, `/device${search}`)
  return { calls, place }
}
const openGrant = async (answers: Record<string, () => unknown> = {}) => {
  const page = await renderDevice('?code=WDJB-MJHT', answers)
  await screen.findByRole('heading', { name: 'A device asks to sign in' })
  return page
}

describe('the code of a device', () => {
  test('a device code typed in lower case with a space opens the sign-in request of that device', async () => {
    const { calls, place } = await renderDevice('')
    write('Code', ' wdjb mjht ')
    press('Continue')
    assert.ok(await screen.findByRole('heading', { name: 'A device asks to sign in' }))
    assert.match(place(), /code=WDJB-MJHT/)
    assert.deepEqual(
      calls[READ_GRANT]?.map(({ query }) => query),
      [{ code: 'WDJB-MJHT' }],
    )
  })

  test('an incomplete device code is reported at its field, which takes the focus, and is not looked up', async () => {
    const { calls } = await renderDevice('')
    write('Code', 'WDJB')
    press('Continue')
    assert.ok(isShown('Enter all eight letters and digits of the code.'))
    assert.ok(document.activeElement === field('Code'))
    await untilSent()
    assert.deepEqual(calls[READ_GRANT], [])
  })

  test('an unknown device code is reported as unknown or expired, and another code can be entered', async () => {
    const answers = [new Refusal(404, 'not_found', 'No such code.'), grant]
    await renderDevice('?code=WDJB-MJHT', { [READ_GRANT]: () => answers.shift() })
    await assertAlert(/unknown or has expired.*req_test/)
    assert.ok(!isThere('button', 'Try again'), 'the same code would be refused again')
    write('Code', 'ABCD-EFGH')
    press('Enter another code')
    assert.ok(await screen.findByRole('heading', { name: 'A device asks to sign in' }))
  })

  test('a rate-limited lookup of a device code shows the seconds until a retry', async () => {
    const answers = [new Refusal(429, 'rate_limited', 'Too many codes.', 60), grant]
    await renderDevice('?code=WDJB-MJHT', { [READ_GRANT]: () => answers.shift() })
    await assertAlert(/Too many codes/)
    assert.ok(isThere('button', /again in 60 s/))
  })
})

describe('the decision about a device', () => {
  test('the sign-in request of a device shows its name, IP address and permissions before the user decides', async () => {
    const { calls } = await openGrant()
    for (const fact of ['WDJB-MJHT', 'Laptop of Ada', '192.0.2.7', 'Acme']) assert.ok(isShown(fact), fact)
    assert.ok(isShown('Read projects, tickets, code and history'))
    assert.ok(isShown('This device could change what is live.'))
    assert.ok(isShown('Approve only what you started yourself.'))
    assert.deepEqual([calls[APPROVE_DEVICE], calls[DENY_DEVICE]], [[], []])
  })

  test('approving a device confirms the sign-in and links to the API keys', async () => {
    const { calls } = await openGrant()
    press('Approve')
    assert.match((await screen.findByRole('status')).textContent, /Laptop of Ada is signed in/)
    assert.ok(isThere('link', 'See your API keys'))
    assert.deepEqual(sent(calls, APPROVE_DEVICE), [{ code: 'WDJB-MJHT' }])
  })

  test('after a device is refused, the page confirms that the device got no key', async () => {
    const { calls } = await openGrant()
    press('Refuse')
    assert.match((await screen.findByRole('status')).textContent, /was refused.*It got no key/)
    assert.equal(calls[DENY_DEVICE]?.length, 1)
    await untilSent()
    assert.deepEqual(calls[APPROVE_DEVICE], [])
  })

  test('while the approval of a device is being sent, neither the approve nor the deny button sends another request', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { calls } = await openGrant({ [APPROVE_DEVICE]: () => promise })
    press('Approve')
    await waitFor(() => assert.equal(calls[APPROVE_DEVICE]?.length, 1))
    press(/Approve$/)
    press('Refuse')
    assert.equal((button('Refuse') as HTMLButtonElement).disabled, true)
    await untilSent()
    resolve(null)
    await screen.findByText('Laptop of Ada is signed in')
    assert.deepEqual([calls[APPROVE_DEVICE]?.length, calls[DENY_DEVICE]?.length], [1, 0])
  })

  test('a failed approval of a device says that nothing was decided and can be retried', async () => {
    const answers = [new Refusal(403, 'forbidden', 'Your role may not.'), null]
    await openGrant({ [APPROVE_DEVICE]: () => answers.shift() })
    press('Approve')
    await assertAlert(/Nothing was decided.*Your role may not.*req_test/)
    assert.equal(document.activeElement?.role, 'alert')
    press('Approve')
    assert.ok(await screen.findByText('Laptop of Ada is signed in'))
  })

  test('approving a device whose code has expired shows that the person must start again on the device', async () => {
    await openGrant({ [APPROVE_DEVICE]: () => new Refusal(404, 'not_found', 'No such code.') })
    press('Approve')
    await assertAlert(/Start again on the device/)
  })

  test('every permission that a device requests is listed, including one that this console does not know', async () => {
    await openGrant({ [READ_GRANT]: () => ({ ...grant, scopes: ['projects:read', 'planets:write'] }) })
    assert.deepEqual(
      screen.getAllByRole('listitem').map((right) => right.textContent),
      ['Read projects, tickets, code and history', 'planets:write'],
    )
  })

  test('the sign-in request of a device without permission to ship shows no warning about the live app', async () => {
    await openGrant({ [READ_GRANT]: () => ({ ...grant, scopes: ['projects:read'] }) })
    assert.ok(!isShown('This device could change what is live.'))
  })
})
