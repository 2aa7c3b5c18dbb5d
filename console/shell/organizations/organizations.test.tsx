import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import {
  assertAlert,
  field,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
  write,
} from '../../testing/console.tsx'
import { lastOrganizations } from '../../api/account/last-organization.ts'
import { NewOrganization } from './new-organization.tsx'
import { OrganizationList } from './organization-list.tsx'

const CREATE_ORGANIZATION = 'POST /api/auth/organization/create'
const SWITCH_ORGANIZATION = 'POST /api/auth/organization/set-active'
const slugTaken = () =>
  Response.json({ code: 'ORGANIZATION_ALREADY_EXISTS', message: 'taken' }, { status: 400 })

describe('a new organization', () => {
  function open(answer: (body: { slug: string }) => unknown, arrive: () => void = () => {}) {
    const opened: string[] = []
    const calls = serve({ [CREATE_ORGANIZATION]: ({ body }) => answer(body as { slug: string }) })
    show(
      <NewOrganization
        arrive={async (id) => {
          opened.push(id)
          arrive()
        }}
      />,
    )
    return { opened, sent: () => calls[CREATE_ORGANIZATION]?.map(({ body }) => body) }
  }

  test('a new organization is created with a short name made from its name, and opened', async () => {
    const { opened, sent } = open(() => ({ id: 'org_1' }))
    write('Name', '  Åcme Gärdens! ')
    press('Create organization')
    await waitFor(() => assert.deepEqual(opened, ['org_1']))
    assert.deepEqual(sent(), [{ name: 'Åcme Gärdens!', slug: 'acme-gardens' }])
  })

  test('when a short name is taken, the next attempt appends a number', async () => {
    const { opened, sent } = open(({ slug }) => (slug === 'acme-3' ? { id: 'org_1' } : slugTaken()))
    write('Name', 'Acme')
    press('Create organization')
    await waitFor(() => assert.deepEqual(opened, ['org_1']))
    assert.deepEqual(
      sent()?.map((body) => (body as { slug: string }).slug),
      ['acme', 'acme-2', 'acme-3'],
    )
  })

  test('creating an organization fails after twenty attempts with taken short names', async () => {
    const { sent } = open(slugTaken)
    write('Name', 'Acme')
    press('Create organization')
    await assertAlert(/The organization was not created/)
    assert.equal(sent()?.length, 20)
  })

  test('an organization without a name is not sent, and the name field gets the focus', async () => {
    const { sent } = open(() => ({ id: 'org_1' }))
    write('Name', '   ')
    press('Create organization')
    assert.ok(isShown('Enter a name.'))
    assert.ok(document.activeElement === field('Name'))
    await untilSent()
    assert.deepEqual(sent(), [])
  })

  test('when opening a new organization fails, a retry opens it without creating a second organization', async () => {
    let fails = true
    const { opened, sent } = open(
      () => ({ id: 'org_1' }),
      () => {
        if (fails) throw new Error('lost')
      },
    )
    write('Name', 'Acme')
    press('Create organization')
    await assertAlert(/The organization was not created/)
    fails = false
    press('Create organization')
    await waitFor(() => assert.deepEqual(opened, ['org_1', 'org_1']))
    assert.equal(sent()?.length, 1)
  })

  test('pressing Enter twice in the dialog for a new organization creates one', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { opened, sent } = open(() => promise)
    write('Name', 'Acme')
    const form = field('Name').closest('form') as HTMLFormElement
    fireEvent.submit(form)
    await waitFor(() => assert.equal(sent()?.length, 1))
    fireEvent.submit(form)
    resolve({ id: 'org_1' })
    await waitFor(() => assert.deepEqual(opened, ['org_1']))
    assert.equal(sent()?.length, 1)
  })
})

describe('the list of organizations', () => {
  const named = (n: number) => ({ id: `org_${n}`, name: `Team ${n}`, slug: `team-${n}` })
  const list = () => within(screen.getByRole('list', { name: 'Your organizations' }))
  const names = () =>
    list()
      .getAllByRole('button')
      .map((choice) => choice.textContent ?? '')

  function open(count: number, answers: Record<string, () => unknown> = {}) {
    const calls = serve({
      'GET /api/auth/organization/get-active-member-role': () => ({ role: 'owner' }),
      ...answers,
    })
    const organizations = Array.from({ length: count }, (_, n) => named(n + 1))
    show(<OrganizationList userId="usr_1" organizations={organizations} current="org_2" path="/projects" />)
    return calls
  }

  test("a short list of organizations shows the user's role in each and marks the current one", async () => {
    open(2)
    await waitFor(() => assert.equal(screen.getAllByText('Owner').length, 2))
    assert.ok(screen.queryByRole('searchbox') === null)
    const current = list()
      .getAllByRole('button')
      .map((choice) => choice.getAttribute('aria-current'))
    assert.deepEqual(current, [null, 'true'])
  })

  test("a long list of organizations can be searched by name or short name, and the user's roles are not requested", async () => {
    const calls = open(9)
    assert.equal(names().length, 9)
    await untilSent()
    assert.deepEqual(calls['GET /api/auth/organization/get-active-member-role'], [])
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: ' TEAM-7 ' } })
    assert.match(names().join(), /^T?Team 7/)
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: '<b>' } })
    assert.ok(isShown('None of your organizations is called “<b>”.'))
  })

  test('a refused organization switch shows the reason, and all organizations can still be chosen', async () => {
    const calls = open(2, {
      [SWITCH_ORGANIZATION]: () => new Refusal(403, 'forbidden', 'You are not a member.'),
    })
    list().getAllByRole('button')[0]?.click()
    await assertAlert(/Still in the same organization.*You are not a member/)
    assert.deepEqual(
      calls[SWITCH_ORGANIZATION]?.map(({ body }) => body),
      [{ organizationId: 'org_1' }],
    )
    assert.ok(
      list()
        .getAllByRole('button')
        .every((choice) => !(choice as HTMLButtonElement).disabled),
    )
  })

  test('after a session switch, the page of the other organization loads even if the user cannot be read', async (t) => {
    const assign = t.mock.method(location, 'assign', () => {})
    open(2, {
      [SWITCH_ORGANIZATION]: () => ({ id: 'org_1' }),
      'GET /api/auth/get-session': () => new Refusal(400, 'invalid_request', 'Not now.'),
    })
    list().getAllByRole('button')[0]?.click()
    // Otherwise the page of the previous organization would stay, and its requests would go to the new organization.
    await waitFor(() => assert.deepEqual(assign.mock.calls[0]?.arguments, ['/projects']))
    assert.ok(!isShown(/Still in the same organization/))
  })

  test('a switch stores the organization on this device, so that the next sign-in opens the same organization', async (t) => {
    const assign = t.mock.method(location, 'assign', () => {})
    open(2, {
      [SWITCH_ORGANIZATION]: () => ({ id: 'org_1' }),
      'GET /api/auth/get-session': () => ({ user: { id: 'usr_1' }, session: {} }),
    })
    list().getAllByRole('button')[0]?.click()
    await waitFor(() => assert.equal(assign.mock.callCount(), 1))
    assert.deepEqual(lastOrganizations('usr_1'), ['org_1'])
  })
})
