import { ApiError, notSignedIn, unwrapResult } from '../kernel/errors.ts'
import { fieldsOf } from '../kernel/fields.ts'
import { requireEnabled, requireLive } from '../kernel/worker/env.ts'
import { sessionOf } from '../kernel/access/session.ts'
import { manifest } from '../manifest.gen.ts'
import { callAuth } from './rpc-client.ts'
import type { User } from './types.ts'

export type { User } from './types.ts'

/** Access to the people of the app, for its server code. */
export interface ServerAuth {
  /** Returns the person who sent a request (`c.req.raw`); null for a visitor. */
  user(request: Request): Promise<User | null>
  /**
   * Like `user`, but throws `unauthorized` for a visitor, and `forbidden` for a person with another role or outside the
   * team with this id.
   */
  require(request: Request, options?: { role?: User['role']; team?: string }): Promise<User>
  get(id: string): Promise<User | null>
  update(id: string, change: { name: string }): Promise<User>
  /** Ends every session of a person. */
  signOutAll(id: string): Promise<void>
}

async function requireMember(request: Request, id: string): Promise<void> {
  const ask = { session: sessionOf(request) ?? '', id, roles: manifest.roles ?? [] }
  const team = unwrapResult(await requireLive('team').team('view', ask))
  if (team === null) throw new ApiError('forbidden', 'Only members of the team may do this.')
}

export const auth: ServerAuth = {
  async user(request) {
    requireEnabled('auth')
    const session = sessionOf(request)
    return session === null ? null : ((await callAuth('me', { session, renews: false }))?.user ?? null)
  },
  async require(request, { role, team } = {}) {
    const user = await auth.user(request)
    if (user === null) throw notSignedIn()
    // Only the role `staff` needs this check: staff may do everything that members may.
    if (role === 'staff' && user.role !== 'staff') throw new ApiError('forbidden', 'Only staff may do this.')
    if (team !== undefined) await requireMember(request, team)
    return user
  },
  get: (id) => callAuth('find', { id }),
  update: (id, given) => callAuth('rename', { id, name: fieldsOf(given)['name'] }),
  async signOutAll(id) {
    await callAuth('signOutAll', { id })
  },
}
