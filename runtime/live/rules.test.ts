import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '../kernel/access/actor.ts'
import { ApiError } from '../kernel/errors.ts'
import { requireEntry } from './rules.ts'
import type { RoomSpec } from './types.ts'

const ADA = `u_${'a'.repeat(26)}`
const TEAM = `t_${'a'.repeat(26)}`
const personActor = (more: object = {}): Actor => ({ userId: ADA, role: 'member', ...more })

const CALLERS: Record<string, Actor> = {
  visitor: 'anonymous',
  member: personActor(),
  staff: personActor({ role: 'staff' }),
  teammate: personActor({ inTeam: true }),
  staffmate: personActor({ role: 'staff', inTeam: true }),
  server: 'system',
}
const PLACES: Record<string, string | null> = {
  app: null,
  own: ADA,
  team: TEAM,
  other: `u_${'b'.repeat(26)}`,
}

/** Who may enter, by access word and partition. Written by hand, so that it does not repeat the code. */
const ALLOWED: Record<RoomSpec['access'], Record<string, string>> = {
  public: { app: 'visitor member staff teammate staffmate', own: 'member staff teammate staffmate' },
  members: { app: 'member staff teammate staffmate', own: 'member staff teammate staffmate' },
  staff: { app: 'staff staffmate', own: 'staff staffmate' },
  team: {},
}
const IN_TEAM: Record<RoomSpec['access'], string> = {
  public: 'teammate staffmate',
  members: 'teammate staffmate',
  team: 'teammate staffmate',
  staff: 'staffmate',
}

test('each access rule of a room admits exactly the expected callers, in every kind of room', () => {
  for (const access of ['public', 'members', 'team', 'staff'] as const)
    for (const [place, partition] of Object.entries(PLACES))
      for (const [name, actor] of Object.entries(CALLERS)) {
        const allowed = place === 'team' ? IN_TEAM[access] : (ALLOWED[access][place] ?? '')
        const isServer = name === 'server' && (access !== 'team' || place === 'team')
        const enter = () => requireEntry({ room: 'r', access }, actor, { partition, allowAnonymous: true })
        const what = `${name} in a ${access} room, ${place}`
        if (isServer || allowed.split(' ').includes(name)) assert.doesNotThrow(enter, what)
        else assert.throws(enter, ApiError, what)
      }
})

test('a public live room requires visitors to sign in unless the operator allows anonymous visitors', () => {
  const enter = () =>
    requireEntry({ room: 'r', access: 'public' }, 'anonymous', { partition: null, allowAnonymous: false })
  assert.throws(enter, { code: 'unauthorized' })
})
