import type { ReactNode } from 'react'
import { render, RefusedResponse, screen } from '../../testing/kit.test.fixture.tsx'
import { ToastRegion } from '../../ui/toast.tsx'
import type { TeamDetails, TeamInvite, TeamMember } from '../types.ts'

export const JOINED_AT = '2026-11-20T10:30:00.000Z'
export const TEAM = '/_app/team/t%2F1'
/** The slash reveals a path in which the id is not escaped. */
export const TEAM_ID = 't/1'
export const BUSY = new RefusedResponse('unavailable', 'The app is busy.')

export const member = (userId: string, name: string, role: string): TeamMember => ({
  userId,
  name,
  role,
  joinedAt: JOINED_AT,
})

export const invitation = (id: string, email: string | null): TeamInvite => ({
  id,
  email,
  role: 'member',
  createdAt: JOINED_AT,
  expiresAt: JOINED_AT,
})

/** A team with the members Ada, who has the role `role`, and Ben. */
export const teamWith = (role: string, change: Partial<TeamDetails> = {}): TeamDetails => ({
  team: { id: TEAM_ID, name: 'Gardeners', role, members: 2, createdAt: JOINED_AT },
  members: [member('u_ada', 'Ada', role), member('u_ben', 'Ben', 'member')],
  invites: [],
  roles: ['owner', 'member'],
  ...change,
})

/** Renders a part of the team pages, with the region for short messages. */
export const renderWithToasts = (children: ReactNode) =>
  render(
    <>
      {children}
      <ToastRegion />
    </>,
  )

export const alerts = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
export const listItemTexts = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent)
/** Returns a handler that responds to each request with the next of `answers`. */
export const inTurn =
  (...answers: unknown[]) =>
  () =>
    answers.shift()
