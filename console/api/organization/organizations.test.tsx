import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { queryClient } from '../request/query-client.ts'
import { Refusal, sent, serve } from '../../testing/console.tsx'
import {
  acceptInvitation,
  organizationRoleQuery,
  ownInvitationsQuery,
  setActiveOrganization,
  updateOrganization,
} from './organizations.ts'

const LIST_OWN = 'GET /api/auth/organization/list-user-invitations'
const invitation = (id: string, status: string, expiresAt: string) => ({
  id,
  organizationName: 'Acme',
  status,
  expiresAt,
})

describe('the organizations of a user', () => {
  test('only invitations that are pending and have not expired are listed', async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-20T12:00:00Z') })
    try {
      serve({
        [LIST_OWN]: () => [
          invitation('open', 'pending', '2026-11-20T12:00:00.001Z'),
          invitation('at_its_end', 'pending', '2026-11-20T12:00:00.000Z'),
          invitation('used', 'accepted', '2026-12-20T12:00:00.000Z'),
          invitation('withdrawn', 'canceled', '2026-12-20T12:00:00.000Z'),
          invitation('without_end', 'pending', 'soon'),
        ],
      })
      const listed = await queryClient.fetchQuery(ownInvitationsQuery())
      assert.deepEqual(
        listed.map(({ id }) => id),
        ['open'],
      )
    } finally {
      mock.timers.reset()
    }
  })

  test('reading the invitations of a user whose e-mail address is not verified fails with the code email_not_verified', async () => {
    serve({ [LIST_OWN]: () => new Refusal(403, 'EMAIL_NOT_VERIFIED', 'Email not verified') })
    const error = await queryClient
      .fetchQuery({ ...ownInvitationsQuery(), retry: false })
      .catch((thrown: unknown) => thrown)
    assert.ok(error instanceof SlipwayError)
    assert.deepEqual([error.code, error.status], ['email_not_verified', 403])
  })

  test('the role of the user is requested for the given organization even when its id contains query characters such as &', async () => {
    const key = 'GET /api/auth/organization/get-active-member-role'
    const calls = serve({ [key]: () => ({ role: 'admin' }) })
    assert.deepEqual(await queryClient.fetchQuery(organizationRoleQuery('org&role=owner')), { role: 'admin' })
    assert.deepEqual(
      calls[key]?.map(({ query }) => query),
      [{ organizationId: 'org&role=owner' }],
    )
  })

  test("switching and renaming an organization send its id, and accepting an invitation sends the invitation's id", async () => {
    const [active, update, accept] = ['set-active', 'update', 'accept-invitation'].map(
      (path) => `POST /api/auth/organization/${path}`,
    ) as [string, string, string]
    const calls = serve({
      [active]: () => ({ id: 'org_1' }),
      [update]: () => ({ id: 'org_1' }),
      [accept]: () => ({ invitation: { organizationId: 'org_1' } }),
    })
    await setActiveOrganization('org_1')
    await updateOrganization('org_1', { name: 'Acme' })
    assert.deepEqual(await acceptInvitation('inv_1'), { invitation: { organizationId: 'org_1' } })
    assert.deepEqual(
      [active, update, accept].map((key) => sent(calls, key)),
      [
        [{ organizationId: 'org_1' }],
        [{ organizationId: 'org_1', data: { name: 'Acme' } }],
        [{ invitationId: 'inv_1' }],
      ],
    )
  })
})
