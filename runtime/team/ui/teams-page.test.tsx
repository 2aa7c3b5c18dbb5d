import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  isShown,
  press,
  RefusedResponse,
  screen,
  serveApp,
  waitFor,
  write,
} from '../../testing/kit.test.fixture.tsx'
import { alerts, BUSY, inTurn, renderWithToasts, listItemTexts, teamWith } from './team.test.fixture.tsx'
import { TeamsPage } from './teams-page.tsx'

const LIST = 'GET /_app/team'
const CREATE = 'POST /_app/team'
const teams = [
  { ...teamWith('owner').team, members: 1 },
  { ...teamWith('salesLead').team, id: 't_2', name: 'Traders' },
]

function open(answers: Parameters<typeof serveApp>[0]) {
  history.replaceState(null, '', '/teams')
  const calls = serveApp(answers)
  renderWithToasts(<TeamsPage />)
  return calls
}

describe('the list of teams of a person', () => {
  test('the teams of a person are listed with their members, the role of the person, and a link to each', async () => {
    open({ [LIST]: () => teams })
    await waitFor(() =>
      assert.deepEqual(listItemTexts(), ['Gardeners1 memberOwner', 'Traders2 membersSales lead']),
    )
    const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
    assert.deepEqual(links, ['/teams?team=t%2F1', '/teams?team=t_2'])
  })

  test('the teams page tells a person without teams how to join or create one', async () => {
    open({ [LIST]: () => [] })
    await waitFor(() => assert.ok(isShown(/You are in no team yet/)))
  })

  test('the teams page reports that the list cannot be loaded, instead of showing it as empty', async () => {
    open({ [LIST]: () => BUSY })
    await waitFor(() => assert.deepEqual(alerts(), ['The app is busy.']))
    assert.deepEqual([listItemTexts(), isShown(/You are in no team yet/)], [[], false])
  })

  test('after a refused attempt to create a team, a second attempt can succeed, and the new team opens', async () => {
    const refused = new RefusedResponse('conflict', 'You are in as many teams as one person may be: 20.')
    const calls = open({ [LIST]: () => [], [CREATE]: inTurn(refused, { ...teams[0] }) })
    write('Team name', 'Gardeners')
    press('Create team')
    await waitFor(() => assert.ok(isShown(refused.error.message)))
    press('Create team')
    await waitFor(() => assert.equal(location.pathname + location.search, '/teams?team=t%2F1'))
    const body = { name: 'Gardeners' }
    assert.deepEqual(
      calls[CREATE]?.map((call) => call.body),
      [body, body],
    )
  })
})
