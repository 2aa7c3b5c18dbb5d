import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { fireEvent, screen } from '@testing-library/react'
import { isShown, press, Refusal, serve, show, untilSent, write } from '../../testing/console.tsx'
import { NoOrganizationGate } from './no-organization-gate.tsx'

const LIST_INVITATIONS = 'GET /api/auth/organization/list-user-invitations'
/** Renders the page in a router, because its heading reads the current path from the router. */
function renderGate() {
  const router = createRouter({
    routeTree: createRootRoute({ component: NoOrganizationGate }),
    history: createMemoryHistory(),
  })
  // The provider accepts only the type of the app's own router, so cast this router.
  show(<RouterProvider router={router as never} />)
}

const NO_ORGANIZATIONS = { 'GET /api/auth/organization/list': () => [] }
const PLAN = {
  email: 'ada@example.test',
  organizations: [],
  projectsLeft: 0,
  projects: [],
  spent: 0,
  cleared: 0,
  failed: [],
  left: [],
  deletion: null,
}
const invitationTo = (id: string, organizationName: string, status = 'pending', year = 2999) => ({
  id,
  organizationName,
  status,
  expiresAt: `${year}-01-01T00:00:00.000Z`,
})

describe('the page of a user without an organization', () => {
  test('a user without an organization sees only invitations that are pending and not expired', async () => {
    const all = [
      invitationTo('i1', 'Gardens'),
      invitationTo('i2', 'Rejected', 'rejected'),
      invitationTo('i3', 'Too late', 'pending', 2001),
    ]
    serve({ ...NO_ORGANIZATIONS, [LIST_INVITATIONS]: () => all })
    renderGate()
    const link = await screen.findByRole('link', { name: 'Open the invitation to Gardens' })
    assert.equal(link.getAttribute('href'), '/invite/i1')
    assert.equal(screen.getAllByRole('link').length, 1)
  })

  test('a user without an organization sees how to get invited, even when the invitations cannot be loaded', async () => {
    serve({
      ...NO_ORGANIZATIONS,
      [LIST_INVITATIONS]: () => new Refusal(403, 'forbidden', 'Confirm your address first.'),
    })
    renderGate()
    await screen.findByText(/open the link of an invitation/)
    assert.ok(isShown('You are in no organization here'))
    screen.getByRole('button', { name: 'Create organization' })
    screen.getByRole('button', { name: 'Sign out' })
  })

  test('a user without an organization can see what an account deletion would delete, and leave without deleting anything', async () => {
    const calls = serve({
      ...NO_ORGANIZATIONS,
      [LIST_INVITATIONS]: () => [],
      'GET /account/deletion': () => PLAN,
      'POST /account/deletion/step': () => PLAN,
    })
    renderGate()
    fireEvent.click(await screen.findByRole('button', { name: 'See what would be deleted' }))
    await screen.findByText('You are in no organization. Only your account is deleted.')
    press('Keep the account')
    assert.ok(isShown('You are in no organization here'))
    await untilSent()
    assert.deepEqual(calls['POST /account/deletion/step'], [])
  })

  test('after the account of a user without an organization is deleted, the only button on the page is “Close”', async () => {
    const left = [{ projectName: 'Plants', name: 'plants', detail: 'The worker stays.' }]
    const deletion = { finishedAt: '2026-06-01T12:00:00.000Z' }
    serve({
      ...NO_ORGANIZATIONS,
      [LIST_INVITATIONS]: () => [],
      'GET /account/deletion': () => PLAN,
      'POST /account/deletion/step': () => ({ ...PLAN, left, deletion }),
    })
    renderGate()
    fireEvent.click(await screen.findByRole('button', { name: 'See what would be deleted' }))
    await screen.findByText('You are in no organization. Only your account is deleted.')
    write(/Type your e-mail/, PLAN.email)
    press('Delete my account')
    await screen.findByText('Your account is deleted')
    assert.deepEqual(
      screen.getAllByRole('button').map(({ textContent }) => textContent),
      ['Close'],
    )
  })
})
