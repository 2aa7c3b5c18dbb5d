import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
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
import type { TeamDetails } from '../types.ts'
import { Invitations } from './invitations.tsx'
import {
  alerts,
  BUSY,
  inTurn,
  invitation,
  JOINED_AT,
  renderWithToasts,
  listItemTexts,
  TEAM,
  teamWith,
} from './team.test.fixture.tsx'

const INVITE = `POST ${TEAM}/invites`
const REVOKE = `DELETE ${TEAM}/invites/i%2F1`
const UNTIL = `Member, until ${new Date(JOINED_AT).toLocaleDateString()}Revoke`
const link = (id: string) => ({ id, url: `https://app.test/teams?invite=${id}`, expiresAt: JOINED_AT })

/** Shows the invitations of a team. Returns the requests, and how often the component asked to load the list again. */
function open(details: Partial<TeamDetails>, answers: Parameters<typeof serveApp>[0] = {}) {
  const calls = serveApp(answers)
  const reads = { count: 0 }
  const onChange = async () => void reads.count++
  const { rerender } = renderWithToasts(
    <Invitations details={teamWith('owner', details)} onChange={onChange} />,
  )
  const show = (next: Partial<TeamDetails>) =>
    rerender(<Invitations details={teamWith('owner', next)} onChange={onChange} />)
  return { calls, reads, show }
}
const bodies = (calls: ReturnType<typeof serveApp>) => calls[INVITE]?.map(({ body }) => body)
const becomes = (text: string) => waitFor(() => assert.ok(isShown(text)))
const alertBecomes = (text: string) => waitFor(() => assert.deepEqual(alerts(), [text]))

/** Replaces the clipboard, which the document of these tests does not have. */
const replaceClipboard = (writeText: (text: string) => Promise<void>) =>
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })

describe('the invitations of a team', () => {
  const original = Object.getOwnPropertyDescriptor(navigator, 'clipboard')
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'clipboard')
    if (original !== undefined) Object.defineProperty(navigator, 'clipboard', original)
  })

  test("a team's open invitations are listed with address, role and expiry, and without any there is no heading", () => {
    const { show } = open({})
    assert.equal(isShown('Open invitations'), false)
    show({ invites: [invitation('i/1', 'ben@example.test'), invitation('i2', null)] })
    assert.ok(isShown('Open invitations'))
    assert.deepEqual(listItemTexts(), [`ben@example.test${UNTIL}`, `Whoever has the link${UNTIL}`])
  })

  test('a team owner can create, see and copy an invitation link without an email address', async () => {
    const copied: string[] = []
    replaceClipboard(async (text) => void copied.push(text))
    const { calls, reads } = open({}, { [INVITE]: () => link('i1') })
    press('Make link')
    await becomes('https://app.test/teams?invite=i1')
    press('Copy link')
    await becomes('Link copied')
    assert.deepEqual([copied, bodies(calls), reads.count], [[link('i1').url], [{ role: 'member' }], 1])
  })

  test('inviting a team member by email sends the trimmed address and the chosen role, and then empties the field', async () => {
    const { calls } = open({ roles: ['owner', 'member', 'salesLead'] }, { [INVITE]: () => link('i1') })
    write('Email', '  ben@example.test ')
    fireEvent.change(screen.getByLabelText('Role'), { target: { value: 'salesLead' } })
    press('Make link')
    await becomes('https://app.test/teams?invite=i1')
    assert.deepEqual(bodies(calls), [{ role: 'salesLead', email: 'ben@example.test' }])
    assert.equal(screen.getByLabelText<HTMLInputElement>('Email').value, '')
  })

  test('a refused invitation address is reported at its field and kept, and any other error is shown above the form', async () => {
    const wrong = new RefusedResponse('invalid_request', 'email: must be an email address', 'email')
    const full = new RefusedResponse('conflict', 'A team has at most 100 open invitations.')
    const { reads } = open({}, { [INVITE]: inTurn(wrong, full) })
    write('Email', 'ben')
    press('Make link')
    await becomes('This must be an email address')
    assert.deepEqual([alerts(), screen.getByLabelText<HTMLInputElement>('Email').value], [[], 'ben'])
    press('Make link')
    await alertBecomes('A team has at most 100 open invitations.')
    assert.deepEqual([isShown('This must be an email address'), reads.count], [false, 0])
  })

  test('a double click on the button for an invitation link creates one link', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { calls } = open({}, { [INVITE]: () => promise })
    press('Make link')
    press('Make link')
    await act(async () => resolve(link('i1')))
    assert.equal(bodies(calls)?.length, 1)
  })

  test('revoking a team invitation reloads the list, and hides only the link of this invitation', async () => {
    const answers = { [INVITE]: inTurn(link('i2'), link('i/1')), [REVOKE]: () => null }
    const { calls, reads } = open({ invites: [invitation('i/1', 'ben@example.test')] }, answers)
    press('Make link')
    await becomes(link('i2').url)
    press('Revoke the invitation of ben@example.test')
    await becomes('Invitation revoked')
    assert.deepEqual([isShown(link('i2').url), reads.count], [true, 2])
    press('Make link')
    await becomes(link('i/1').url)
    press('Revoke the invitation of ben@example.test')
    await waitFor(() => assert.equal(isShown(link('i/1').url), false))
    assert.equal(calls[REVOKE]?.length, 2)
  })

  test('a failed revocation of an invitation is reported until a new link is created, and reloads the list', async () => {
    const answers = { [INVITE]: () => link('i2'), [REVOKE]: () => BUSY }
    const { reads } = open({ invites: [invitation('i/1', 'ben@example.test')] }, answers)
    press('Revoke the invitation of ben@example.test')
    await alertBecomes('The app is busy.')
    assert.equal(reads.count, 1)
    press('Make link')
    await becomes(link('i2').url)
    assert.deepEqual(alerts(), [])
  })

  test('a failed revocation of an invitation is reported even after creating a link has failed before', async () => {
    const full = new RefusedResponse('conflict', 'A team has at most 100 open invitations.')
    open({ invites: [invitation('i/1', 'ben@example.test')] }, { [INVITE]: () => full, [REVOKE]: () => BUSY })
    press('Make link')
    await alertBecomes('A team has at most 100 open invitations.')
    press('Revoke the invitation of ben@example.test')
    await alertBecomes('The app is busy.')
  })

  test('when the browser does not allow copying an invitation link, the page says so and still shows the link', async () => {
    replaceClipboard(async () => Promise.reject(new DOMException('denied', 'NotAllowedError')))
    open({}, { [INVITE]: () => link('i1') })
    press('Make link')
    await becomes(link('i1').url)
    press('Copy link')
    await becomes('The link was not copied. Select it and copy it yourself.')
    assert.ok(isShown(link('i1').url))
  })
})
