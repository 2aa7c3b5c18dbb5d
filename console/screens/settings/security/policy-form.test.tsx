import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Me, SecurityPolicy } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { securityQuery } from '../../../api/organization/security.ts'
import {
  assertAlert,
  button,
  field,
  findMessage,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { PolicyForm } from './policy-form.tsx'

const SAVE = 'PUT /security'
const TWO_FACTOR = 'Require two-factor authentication'
const PACKAGES = 'Builds may add any npm package'
const ADDRESSES = 'Allowed addresses'
const RULES = {
  requireSso: false,
  requireTwoFactor: false,
  sessionLifetimeDays: null,
  allowedIps: [] as string[],
  anyPackages: false,
}

interface Given {
  rules?: Partial<typeof RULES>
  ssoReady?: boolean
  role?: string
  plan?: string
  hasTwoFactor?: boolean
}

/** Shows the form with the rules of the service. The service stores sent rules unless `answer` is given. */
async function renderPolicy(given: Given = {}, answer?: () => unknown) {
  let stored = {
    ...RULES,
    ...given.rules,
    ssoReady: given.ssoReady ?? true,
    callerAddress: '192.0.2.1',
  } as SecurityPolicy
  const calls = serve({
    'GET /security': () => stored,
    'GET /api/auth/get-session': () => ({
      user: { twoFactorEnabled: given.hasTwoFactor ?? true },
      session: {},
    }),
    [SAVE]: ({ body }) => (answer ? answer() : (stored = { ...stored, ...(body as object) })),
  })
  const me = { role: given.role ?? 'owner', plan: given.plan ?? 'enterprise' } as Me
  function Host() {
    const { data } = useQuery(securityQuery())
    return data ? <PolicyForm stored={data} me={me} /> : null
  }
  show(<Host />)
  await waitFor(() => button('Save settings'))
  await untilSent()
  return {
    saved: () => sent(calls, SAVE),
    /** Changes the stored rules as another admin would, without the page reading them again. */
    changedMeanwhile: (rules: Partial<typeof RULES>) => {
      stored = { ...stored, ...rules }
    },
  }
}
const toggle = (label: string) => fireEvent.click(field(label))
const dialog = () => screen.findByRole('dialog')
const confirm = async (name: string) => fireEvent.click(within(await dialog()).getByRole('button', { name }))

describe('the security rules of an organization', () => {
  test('unchanged security rules are not sent, and the button says that nothing has changed', async () => {
    const { saved } = await renderPolicy()
    assert.equal(button('Save settings').getAttribute('aria-description'), 'Nothing has changed yet.')
    press('Save settings')
    await untilSent()
    assert.deepEqual(saved(), [])
  })

  test('a security rule that becomes less strict is saved without a confirmation', async () => {
    const { saved } = await renderPolicy({ rules: { requireTwoFactor: true } })
    toggle(TWO_FACTOR)
    press('Save settings')
    assert.ok(await findMessage('Security settings saved.'))
    assert.deepEqual(saved(), [RULES])
    await waitFor(() =>
      assert.equal(button('Save settings').getAttribute('aria-description'), 'Nothing has changed yet.'),
    )
  })

  test('saving one security rule keeps the rules that another admin made stricter after the page was read', async () => {
    const { saved, changedMeanwhile } = await renderPolicy()
    toggle(PACKAGES)
    changedMeanwhile({ requireTwoFactor: true, allowedIps: ['192.0.2.0/24'] })
    press('Save settings')
    assert.ok(await findMessage('Security settings saved.'))
    assert.deepEqual(saved(), [
      { ...RULES, anyPackages: true, requireTwoFactor: true, allowedIps: ['192.0.2.0/24'] },
    ])
    await waitFor(() => assert.equal(field(TWO_FACTOR).checked, true))
  })

  test('saving one security rule does not end this session because of a rule that another admin made stricter meanwhile', async (t) => {
    const gone = t.mock.method(location, 'assign', () => {})
    const { changedMeanwhile } = await renderPolicy()
    toggle(PACKAGES)
    changedMeanwhile({ requireTwoFactor: true })
    press('Save settings')
    assert.ok(await findMessage('Security settings saved.'))
    assert.equal(gone.mock.callCount(), 0)
  })

  test('a stricter security rule is saved only after its consequences were confirmed, and then the sign-in page opens', async (t) => {
    const gone = t.mock.method(location, 'assign', () => {})
    const { saved } = await renderPolicy({ hasTwoFactor: false })
    toggle(TWO_FACTOR)
    press('Save settings')
    const { textContent } = await dialog()
    assert.match(textContent ?? '', /Every member is signed out, you too/)
    assert.match(textContent ?? '', /You have no second factor yet/)
    await untilSent()
    assert.deepEqual(saved(), [])
    await confirm('Save and sign everyone out')
    await waitFor(() => assert.equal(gone.mock.callCount(), 1))
    assert.deepEqual(gone.mock.calls[0]?.arguments, ['/sign-in?next=%2Fsettings%2Fsecurity'])
    assert.deepEqual(saved(), [{ ...RULES, requireTwoFactor: true }])
  })

  test('a security rule that is changed while another one is being saved stays changed', async () => {
    const answer = Promise.withResolvers<SecurityPolicy>()
    const { saved } = await renderPolicy({ rules: { requireTwoFactor: true } }, () => answer.promise)
    toggle(TWO_FACTOR)
    press('Save settings')
    await waitFor(() => assert.equal(saved()?.length, 1))
    toggle(PACKAGES)
    answer.resolve({ ...RULES, ssoReady: true, callerAddress: '192.0.2.1' })
    await findMessage('Security settings saved.')
    assert.deepEqual([field(TWO_FACTOR).checked, field(PACKAGES).checked], [false, true])
    assert.equal(button('Save settings').getAttribute('aria-description'), null)
  })

  test('a refused IP address is named at its field, even after the list of addresses was edited', async () => {
    await renderPolicy({}, () => new Refusal(400, 'invalid_request', 'allowedIps[1]: is no address'))
    write(ADDRESSES, '192.0.2.1\nnonsense')
    press('Save settings')
    await confirm('Save settings')
    await assertAlert(/^nonsense: Is no address\.$/)
    write(ADDRESSES, '198.51.100.7\n192.0.2.1\nnonsense')
    await assertAlert(/^nonsense: Is no address\.$/)
    assert.equal(isThere('dialog'), false)
    assert.equal(isShown('The settings were not saved'), false)
  })

  test('a refusal of security rules that names no IP address is shown above the rules, which keep their changes', async () => {
    await renderPolicy({}, () => new Refusal(409, 'conflict', 'Your own address is not listed.'))
    toggle(PACKAGES)
    press('Save settings')
    await assertAlert(/Your own address is not listed/)
    assert.equal(field(PACKAGES).checked, true)
  })

  test("one press adds the user's IP address to the allowed addresses, and the form then says that it is on the list", async () => {
    await renderPolicy()
    write(ADDRESSES, ' 198.51.100.7 ')
    press('Add it')
    assert.equal(field(ADDRESSES).value, '198.51.100.7\n192.0.2.1')
    assert.equal(isThere('button', 'Add it'), false)
    assert.ok(isShown(/It is on the list/))
  })

  test('single sign-on cannot be required without a verified provider, and on a smaller plan the form names the plan it needs', async () => {
    await renderPolicy({ ssoReady: false, plan: 'pro' })
    assert.equal(field('Require single sign-on').disabled, true)
    assert.ok(isShown(/single sign-on is part of Enterprise/))
  })

  test('a rule that requires single sign-on can be switched off after its provider was removed', async () => {
    const { saved } = await renderPolicy({ ssoReady: false, rules: { requireSso: true } })
    toggle('Require single sign-on')
    press('Save settings')
    await waitFor(() => assert.deepEqual(saved(), [RULES]))
  })

  test('a member sees the security rules and cannot change them', async () => {
    const { saved } = await renderPolicy({ role: 'member' })
    const labels = [TWO_FACTOR, 'Require single sign-on', 'Sessions end', ADDRESSES, PACKAGES]
    assert.deepEqual(
      labels.map((label) => field(label).disabled),
      labels.map(() => true),
    )
    press('Save settings')
    await untilSent()
    assert.deepEqual(saved(), [])
  })
})
