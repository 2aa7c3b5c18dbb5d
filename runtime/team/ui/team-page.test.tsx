import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  act,
  fireEvent,
  isShown,
  press,
  RefusedResponse,
  screen,
  serveApp,
  waitFor,
  write,
} from '../../testing/kit.test.fixture.tsx'
import { TeamPage } from './team-page.tsx'
import {
  alerts,
  BUSY,
  inTurn,
  JOINED_AT,
  member,
  renderWithToasts,
  listItemTexts,
  TEAM,
  TEAM_ID,
  teamWith,
} from './team.test.fixture.tsx'

const READ = `GET ${TEAM}`
const GONE = new RefusedResponse('not_found', 'There is no such team.')
const SINCE = `Since ${new Date(JOINED_AT).toLocaleDateString()}`
const NOT_THERE = 'You cannot open this team'
type Answers = Parameters<typeof serveApp>[0]

/** Opens the page of the team for Ada. By default she is an owner. */
async function open(answers: Answers = {}, title = 'Gardeners') {
  history.replaceState(null, '', '/teams?team=x')
  const calls = serveApp({ [READ]: () => teamWith('owner'), ...answers })
  renderWithToasts(<TeamPage id={TEAM_ID} userId="u_ada" />)
  await waitFor(() => assert.equal(heading(), title))
  return calls
}
const heading = () => screen.getByRole('heading', { level: 1 }).textContent
const cards = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
const roleOf = (name: string) => screen.getByLabelText<HTMLSelectElement>(`Role of ${name}`)
const chooseRole = (name: string, value: string) => fireEvent.change(roleOf(name), { target: { value } })
const becomes = (text: string) => waitFor(() => assert.ok(isShown(text)))
const alertBecomes = (text: string) => waitFor(() => assert.deepEqual(alerts(), [text]))
const returnToPage = () => act(async () => void window.dispatchEvent(new Event('focus')))
const bodies = (calls: Awaited<ReturnType<typeof open>>, key: string) => calls[key]?.map(({ body }) => body)
const pressLast = (name: string) =>
  fireEvent.click(screen.getAllByRole('button', { name }).at(-1) ?? document.body)

describe('the page of a team', () => {
  test('the team page shows an owner the members with their roles, and lets the owner invite, rename and remove', async () => {
    await open()
    assert.deepEqual(cards(), ['Members', 'Invite people', 'Name', 'Remove the team'])
    assert.deepEqual(listItemTexts(), ['AdaYouOwnerMember', `Ben${SINCE}OwnerMemberRemove`])
    assert.deepEqual([roleOf('Ada').value, roleOf('Ben').value], ['owner', 'member'])
  })

  test('the team page shows a member who is not an owner the roles, and lets the member only leave', async () => {
    await open({ [READ]: () => teamWith('salesLead') })
    assert.deepEqual(cards(), ['Members'])
    assert.deepEqual(listItemTexts(), ['AdaYouSales lead', `Ben${SINCE}Member`])
    const buttons = screen.getAllByRole('button').map(({ textContent }) => textContent)
    assert.deepEqual(buttons, ['Leave team'])
  })

  test('the team page says that the team is missing when it does not exist or the person is not a member', async () => {
    await open({ [READ]: () => GONE }, 'Team')
    await becomes(NOT_THERE)
    assert.deepEqual(cards(), [NOT_THERE])
  })

  test('a team that cannot be loaded is not shown as removed, and is loaded again when the person returns to the page', async () => {
    await open({ [READ]: inTurn(BUSY, teamWith('owner')) }, 'Team')
    await alertBecomes('The app is busy.')
    assert.equal(isShown(NOT_THERE), false)
    await returnToPage()
    assert.deepEqual([heading(), alerts()], ['Gardeners', []])
  })

  test('a person who was removed from a team no longer sees it after returning to the team page', async () => {
    await open({ [READ]: inTurn(teamWith('owner'), GONE) })
    await returnToPage()
    assert.deepEqual([heading(), listItemTexts(), isShown(NOT_THERE)], ['Team', [], true])
  })

  test('a failed reload of the team page keeps the team visible', async () => {
    await open({ [READ]: inTurn(teamWith('owner'), BUSY) })
    await returnToPage()
    assert.deepEqual([heading(), listItemTexts().length], ['Gardeners', 2])
  })

  test('returning to the team page shows members who joined in the meantime', async () => {
    const joined = { members: [...teamWith('owner').members, member('u_cy', 'Cy', 'member')] }
    const calls = await open({ [READ]: inTurn(teamWith('owner'), teamWith('owner', joined)) })
    await returnToPage()
    assert.deepEqual(listItemTexts().at(-1), `Cy${SINCE}OwnerMemberRemove`)
    assert.equal(calls[READ]?.length, 2)
  })

  test('an owner can change the role of a member on the team page', async () => {
    const now = teamWith('owner', { members: [member('u_ben', 'Ben', 'owner')] })
    const key = `PATCH ${TEAM}/members/u_ben`
    const calls = await open({ [READ]: inTurn(teamWith('owner'), now), [key]: () => null })
    chooseRole('Ben', 'owner')
    await becomes('Ben: Owner')
    await waitFor(() => assert.equal(roleOf('Ben').value, 'owner'))
    assert.deepEqual(bodies(calls, key), [{ role: 'owner' }])
  })

  test('the team page reports a refused role change and keeps the role, and the next success removes the message', async () => {
    const message = 'A team keeps an owner.'
    await open({
      [`PATCH ${TEAM}/members/u_ada`]: () => new RefusedResponse('conflict', message),
      [`PATCH ${TEAM}/members/u_ben`]: () => null,
    })
    chooseRole('Ada', 'member')
    await alertBecomes(message)
    assert.equal(roleOf('Ada').value, 'owner')
    chooseRole('Ben', 'owner')
    await waitFor(() => assert.deepEqual(alerts(), []))
  })

  test('a role that the app no longer declares is still shown for the member who has it', async () => {
    const members = [member('u_ada', 'Ada', 'owner'), member('u_ben', 'Ben', 'salesLead')]
    await open({ [READ]: () => teamWith('owner', { members }) })
    const [chosen] = roleOf('Ben').selectedOptions
    assert.deepEqual([roleOf('Ben').value, chosen?.textContent], ['salesLead', 'Sales lead'])
  })

  test('an owner can remove a member on the team page', async () => {
    const key = `DELETE ${TEAM}/members/u_ben`
    const alone = teamWith('owner', { members: [member('u_ada', 'Ada', 'owner')] })
    const calls = await open({ [READ]: inTurn(teamWith('owner'), alone), [key]: () => null })
    press('Remove Ben')
    await becomes('Ben is out of the team')
    await waitFor(() => assert.equal(listItemTexts().length, 1))
    assert.equal(calls[key]?.length, 1)
  })

  test('a team member who was already removed disappears from the list, and the reason is shown', async () => {
    const alone = teamWith('owner', { members: [member('u_ada', 'Ada', 'owner')] })
    await open({
      [READ]: inTurn(teamWith('owner'), alone),
      [`DELETE ${TEAM}/members/u_ben`]: () => new RefusedResponse('not_found', 'There is no such member.'),
    })
    press('Remove Ben')
    await alertBecomes('There is no such member.')
    await waitFor(() => assert.equal(listItemTexts().length, 1))
  })

  test('the team page saves a new team name, and reports a refused name at its field', async () => {
    const renamed = teamWith('owner')
    renamed.team.name = 'Farmers'
    const refused = new RefusedResponse('invalid_request', 'name: must have 1 to 100 characters', 'name')
    const calls = await open({
      [READ]: inTurn(teamWith('owner'), renamed),
      [`PATCH ${TEAM}`]: inTurn(refused, renamed.team),
    })
    write('Team name', '')
    press('Save name')
    await becomes('This must have 1 to 100 characters')
    write('Team name', 'Farmers')
    press('Save name')
    await waitFor(() => assert.equal(heading(), 'Farmers'))
    assert.deepEqual(bodies(calls, `PATCH ${TEAM}`), [{ name: '' }, { name: 'Farmers' }])
  })

  test('leaving a team needs a confirmation, shows an error if it fails, and opens the list of teams if it succeeds', async () => {
    const key = `DELETE ${TEAM}/members/u_ada`
    const calls = await open({ [key]: inTurn(BUSY, null) })
    press('Leave team')
    assert.deepEqual(calls[key], [])
    pressLast('Leave team')
    await alertBecomes('The app is busy.')
    pressLast('Leave team')
    await waitFor(() => assert.equal(location.pathname + location.search, '/teams'))
    assert.equal(calls[key]?.length, 2)
  })

  test('a team is deleted only after its name is typed, and then the list of teams opens', async () => {
    const key = `DELETE ${TEAM}`
    const calls = await open({ [key]: () => null })
    press('Remove team')
    const confirm = () => screen.getAllByRole<HTMLButtonElement>('button', { name: 'Remove team' }).at(-1)
    assert.equal(confirm()?.disabled, true)
    write(/^Type Gardeners/, 'gardeners')
    assert.equal(confirm()?.disabled, true)
    write(/^Type Gardeners/, 'Gardeners')
    pressLast('Remove team')
    await waitFor(() => assert.equal(location.pathname + location.search, '/teams'))
    await becomes('Gardeners is removed')
    assert.equal(calls[key]?.length, 1)
  })

  test('a late response does not bring a removed member back into the list of team members', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const alone = teamWith('owner', { members: [member('u_ada', 'Ada', 'owner')] })
    await open({
      [READ]: inTurn(teamWith('owner'), promise, alone),
      [`DELETE ${TEAM}/members/u_ben`]: () => null,
    })
    await returnToPage()
    press('Remove Ben')
    await waitFor(() => assert.equal(listItemTexts().length, 1))
    await act(async () => resolve(teamWith('owner')))
    assert.equal(listItemTexts().length, 1)
  })

  test('a late response does not show a team again to a person who was removed from it', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    await open({ [READ]: inTurn(teamWith('owner'), promise, GONE) })
    await returnToPage()
    await returnToPage()
    assert.equal(isShown(NOT_THERE), true)
    await act(async () => resolve(teamWith('owner')))
    assert.equal(isShown(NOT_THERE), true)
  })

  test('the dialog that removes a team asks for the name of the team again after it was closed', async () => {
    await open({ [`DELETE ${TEAM}`]: () => BUSY })
    press('Remove team')
    write(/^Type Gardeners/, 'Gardeners')
    pressLast('Remove team')
    await alertBecomes('The app is busy.')
    press('Keep it')
    press('Remove team')
    assert.deepEqual(alerts(), [])
    assert.equal(screen.getByLabelText<HTMLInputElement>(/^Type Gardeners/).value, '')
    assert.equal(
      screen.getAllByRole<HTMLButtonElement>('button', { name: 'Remove team' }).at(-1)?.disabled,
      true,
    )
  })

  test('the dialog for leaving a team opens without the error of an earlier attempt', async () => {
    await open({ [`DELETE ${TEAM}/members/u_ada`]: () => BUSY })
    press('Leave team')
    pressLast('Leave team')
    await alertBecomes('The app is busy.')
    press('Stay')
    press('Leave team')
    assert.deepEqual(alerts(), [])
  })
})
