import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { ReactElement } from 'react'
import { isShown, isThere, press, Refusal, serve, show, showAt } from '../testing/console.tsx'
import { Passkeys } from './account/passkeys.tsx'
import { Sessions } from './account/sessions.tsx'
import { Members } from './settings/members/members.tsx'
import { Models } from './settings/models/models.tsx'

const AT = '2026-01-01T00:00:00Z'
const me = {
  user: { id: 'usr_ada', name: 'Ada', email: 'ada@example.test' },
  organization: { id: 'org_1' },
  role: 'owner',
  scopes: [],
  plan: 'free',
}
const ada = {
  id: 'mbr_1',
  userId: 'usr_ada',
  role: 'owner',
  createdAt: AT,
  user: { name: 'Ada', email: 'ada@example.test' },
}
const invitation = {
  id: 'inv_1',
  email: 'grace@example.test',
  role: 'member',
  status: 'pending',
  expiresAt: '2999-01-01T00:00:00Z',
  createdAt: AT,
  inviterId: 'usr_ada',
}
const model = {
  id: 'mdl_1',
  provider: 'anthropic',
  label: 'Our Claude',
  baseUrl: null,
  models: ['sonnet'],
  defaultModel: 'sonnet',
  isDefault: true,
  limits: null,
  modalities: null,
  hasKey: true,
  createdAt: AT,
}
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const session = (id: string) => ({
  id,
  token: `token-${id}`,
  createdAt: AT,
  expiresAt: AT,
  ipAddress: null,
  userAgent: firefox,
})

interface Case {
  what: string
  page: () => Promise<unknown> | unknown
  /** The request that reads the list, and its first response. Every later request is refused. */
  list: [key: string, items: unknown]
  removal: string
  others?: Record<string, () => unknown>
  shown: string
  open: string
  /** The button of the confirmation dialog. Undefined when there is no confirmation dialog. */
  confirm?: string
}
const settings = (name: string, Page: () => ReactElement) => () =>
  showAt(`/app/settings/${name}`, Page, `/settings/${name}`)

const CASES: Case[] = [
  {
    what: 'an invitation that was cancelled',
    page: settings('members', Members),
    list: ['GET /api/auth/organization/list-invitations', [invitation]],
    removal: 'POST /api/auth/organization/cancel-invitation',
    others: { 'GET /me': () => me, 'GET /api/auth/organization/list-members': () => ({ members: [ada] }) },
    shown: 'grace@example.test',
    open: 'Cancel invitation',
    confirm: 'Cancel invitation',
  },
  {
    what: 'a model connection that was deleted',
    page: settings('models', Models),
    list: ['GET /connections/models', [model]],
    removal: 'DELETE /connections/models/mdl_1',
    others: {
      'GET /me': () => me,
      'GET /connections/models/limits': () => ({ month: '2026-12', used: 0, monthly: null, perTicket: null }),
    },
    shown: 'Our Claude',
    open: 'Delete',
    confirm: 'Disconnect model',
  },
  {
    what: 'a passkey that was removed',
    page: () => show(<Passkeys />),
    list: [
      'GET /api/auth/passkey/list-user-passkeys',
      [{ id: 'pk_1', name: 'Laptop', createdAt: AT, backedUp: true }],
    ],
    removal: 'POST /api/auth/passkey/delete-passkey',
    shown: 'Laptop',
    open: 'Remove: Laptop',
    confirm: 'Remove passkey',
  },
  {
    what: 'a session that was signed out',
    page: () => show(<Sessions currentToken="token-none" />),
    list: ['GET /api/auth/list-sessions', [session('ses_1')]],
    removal: 'POST /api/auth/revoke-session',
    shown: 'Firefox on Linux',
    open: 'Sign out: Firefox on Linux',
  },
]

describe('a removed item whose list cannot be read again', () => {
  for (const { what, page, list, removal, others = {}, shown, open, confirm } of CASES)
    test(`${what} disappears from its list, even when the list cannot be read again`, async () => {
      const [key, items] = list
      let reads = 0
      const calls = serve({
        ...others,
        [key]: () => (reads++ === 0 ? items : new Refusal(400, 'invalid_request', 'Not now.')),
        [removal]: () => ({}),
      })
      await page()
      await screen.findByText(shown)
      press(open)
      if (confirm !== undefined) {
        const dialog = within(await screen.findByRole('dialog'))
        fireEvent.click(dialog.getByRole('button', { name: confirm }))
      }
      await waitFor(() => assert.equal(calls[removal]?.length, 1))
      await waitFor(() => assert.ok(!isShown(shown)))
      assert.ok(!isThere('dialog'))
      await waitFor(() => assert.equal(calls[key]?.length, 2))
    })
})
