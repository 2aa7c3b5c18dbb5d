import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { lastOrganizations } from '../../api/account/last-organization.ts'
import { queryClient } from '../../api/request/query-client.ts'
import {
  assertAlert,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  show,
  untilSent,
} from '../../testing/console.tsx'
import { OtherOrganizations } from './other-organizations.tsx'

const LIST = 'GET /api/auth/organization/list'
const SESSION = 'GET /api/auth/get-session'
const SWITCH = 'POST /api/auth/organization/set-active'
const organization = (n: number, name = `Team ${n}`) => ({ id: `org_${n}`, name, slug: `team-${n}` })
const session = (active: string | null) => ({
  user: { id: 'usr_ada', name: 'Ada' },
  session: { activeOrganizationId: active },
})

async function showOthers(answers: Record<string, () => unknown> = {}, hint?: string) {
  const calls = serve({
    [LIST]: () => [organization(1), organization(2), organization(3)],
    [SESSION]: () => session('org_1'),
    ...answers,
  })
  show(
    <>
      <p>The page</p>
      <OtherOrganizations title="Open another organization" {...(hint !== undefined && { hint })} />
    </>,
  )
  await waitFor(() => assert.equal(calls[SESSION]?.length, 1))
  await untilSent()
  return { switched: () => sent(calls, SWITCH) }
}
const listed = () => ['Team 1', 'Team 2', 'Team 3'].filter((name) => isThere('button', name))

describe('the other organizations of a user whom an organization refuses', () => {
  test('a user whom an organization refuses sees all their other organizations', async () => {
    await showOthers({}, 'This page may be there.')
    assert.ok(isThere('region', 'Open another organization'))
    assert.deepEqual(listed(), ['Team 2', 'Team 3'])
    assert.ok(screen.getByText('This page may be there.'))
  })

  test('a user who is refused without a current organization sees all organizations', async () => {
    await showOthers({ [SESSION]: () => session(null) })
    assert.equal(listed().length, 3)
  })

  test('a refused user with only one organization sees no list of organizations', async () => {
    await showOthers({ [LIST]: () => [organization(1)] })
    assert.ok(!isThere('region'))
  })

  test('when the organizations or the session cannot be read, a refused user sees neither a list nor an error', async () => {
    for (const key of [LIST, SESSION]) {
      await showOthers({ [key]: () => Response.json({ message: 'no' }, { status: 403 }) })
      assert.ok(!isThere('region'), key)
      assert.ok(!isThere('alert'), key)
      assert.ok(isShown('The page'), key)
      cleanup()
      queryClient.clear()
    }
  })

  test('choosing another organization makes it active and reloads the same page', async (t) => {
    const opened = t.mock.method(location, 'assign', () => {})
    const { href } = location
    t.after(() => history.replaceState(null, '', href))
    history.replaceState(null, '', '/projects/prj_1?tab=plan')
    const { switched } = await showOthers({ [SWITCH]: () => organization(2) })
    press('Team 2')
    await waitFor(() => assert.equal(opened.mock.callCount(), 1))
    assert.deepEqual(switched(), [{ organizationId: 'org_2' }])
    assert.deepEqual(opened.mock.calls[0]?.arguments, ['/projects/prj_1?tab=plan'])
    assert.deepEqual(lastOrganizations('usr_ada'), ['org_2'])
  })

  test('when the chosen organization also refuses the user, the reason is shown and another can be chosen', async (t) => {
    const opened = t.mock.method(location, 'assign', () => {})
    const responses: unknown[] = [new Refusal(403, 'forbidden', 'It needs two-factor.'), organization(3)]
    await showOthers({ [SWITCH]: () => responses.shift() })
    press('Team 2')
    await assertAlert(/.+/)
    assert.equal(document.activeElement?.role, 'alert')
    assert.equal(opened.mock.callCount(), 0)
    press('Team 3')
    await waitFor(() => assert.equal(opened.mock.callCount(), 1))
  })
})
