import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { auth } from '../../auth/client.ts'
import {
  act,
  isShown,
  press,
  RefusedResponse,
  render,
  screen,
  serveApp,
  waitFor,
} from '../../testing/kit.test.fixture.tsx'
import { ToastRegion } from '../../ui/toast.tsx'
import { navigate } from '../../web/navigation.tsx'
import { alerts, inTurn, teamWith } from './team.test.fixture.tsx'
import { withTeams } from './with-teams.tsx'

const ADA = { id: 'u_ada', name: 'Ada', role: 'member' }
const ACCEPT = 'POST /_app/team/invites/accept'
const USED = new RefusedResponse('not_found', 'This invitation is not valid. Ask for a new one.')
const plain = { Gate: () => null, Menu: () => <p>Own entry</p>, pages: { '/account': () => <p>Account</p> } }
const { Menu, pages } = withTeams(plain)
const Teams = pages['/teams'] ?? (() => null)

/** Opens a page of teams as a person, or as a visitor for null. */
async function open(at: string, user: typeof ADA | null, answers: Parameters<typeof serveApp>[0] = {}) {
  history.replaceState(null, '', at)
  const calls = serveApp({
    'GET /_app/auth/me': () => user,
    'GET /_app/team': () => [],
    'GET /_app/team/t_1': () => teamWith('owner'),
    'GET /_app/auth/settings': () => ({
      openSignup: false,
      passwordMin: 10,
      confirmAddress: false,
      methods: { password: true, emailCode: false, passkey: false, oauth: [] },
    }),
    ...answers,
  })
  // The auth client caches the person for all tests of this process.
  await auth.me()
  render(
    <>
      <Teams />
      <ToastRegion />
    </>,
  )
  await act(async () => {})
  return calls
}
const heading = () => screen.getByRole('heading', { level: 1 }).textContent

describe('the pages of teams', () => {
  test('the teams page shows all teams, one team or an invitation, as the query of its address says', async () => {
    await open('/teams', ADA)
    assert.equal(heading(), 'Teams')
    await act(async () => navigate('/teams?team=t_1'))
    await waitFor(() => assert.equal(heading(), 'Gardeners'))
    await act(async () => navigate('/teams?invite=t_1.secret'))
    assert.equal(heading(), 'You are invited to a team')
  })

  test('withTeams keeps the account pages and the menu of an app, and adds a menu entry for teams that only a signed-in person sees', async () => {
    assert.deepEqual(Object.keys(pages), ['/account', '/teams'])
    await open('/teams', null)
    render(<Menu />)
    assert.deepEqual([isShown('Own entry'), screen.queryByRole('link', { name: 'Teams' })], [true, null])
    serveApp({ 'GET /_app/auth/me': () => ADA })
    await act(() => auth.me())
    assert.equal(screen.getByRole('link', { name: 'Teams' }).getAttribute('href'), '/teams')
  })

  test('in an app closed for new accounts, a visitor can create an account only with an invitation to a team', async () => {
    await open('/teams?invite=t_1.secret', null)
    await waitFor(() => assert.ok(isShown('Create an account')))
    await act(async () => navigate('/teams'))
    assert.equal(isShown('Create an account'), false)
  })

  test('opening an invitation does not use it up: the person joins with a click, and their team opens', async () => {
    const calls = await open('/teams?invite=t_1.secret', ADA, {
      [ACCEPT]: () => ({ id: 't_1', name: 'Gardeners' }),
    })
    assert.deepEqual(calls[ACCEPT], [])
    press('Join the team')
    await waitFor(() => assert.equal(heading(), 'Gardeners'))
    assert.equal(location.search, '?team=t_1')
    assert.deepEqual(
      calls[ACCEPT]?.map(({ body }) => body),
      [{ token: 't_1.secret' }],
    )
    assert.ok(isShown('You are in Gardeners'))
  })

  test('an invitation that is no longer valid is reported, and the page keeps a link to the teams of the person', async () => {
    await open('/teams?invite=t_1.secret', ADA, { [ACCEPT]: () => USED })
    press('Join the team')
    await waitFor(() => assert.deepEqual(alerts(), [USED.error.message]))
    const link = screen.getByRole('link', { name: 'Not now' })
    assert.equal(link.getAttribute('href'), '/teams')
  })

  test('the error of one invitation is not shown on the page of another invitation', async () => {
    await open('/teams?invite=t_1.secret', ADA, { [ACCEPT]: inTurn(USED) })
    press('Join the team')
    await waitFor(() => assert.equal(alerts().length, 1))
    await act(async () => navigate('/teams?invite=t_1.other'))
    assert.deepEqual(alerts(), [])
  })
})
