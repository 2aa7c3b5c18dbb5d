import { ApiError } from '../kernel/errors.ts'
import { sessionOf } from '../kernel/session.ts'
import { askAuth } from './live.ts'
import type { User } from './types.ts'

/** The people of the app, for its server code. */
export interface ServerAuth {
  /** Returns who sent a request (`c.req.raw`); null: a visitor. */
  user(request: Request): Promise<User | null>
  /** The same, and throws `unauthorized` for a visitor or `forbidden` for another role. */
  require(request: Request, options?: { role?: User['role'] }): Promise<User>
  get(id: string): Promise<User | null>
  update(id: string, change: { name: string }): Promise<User>
  /** Ends every session of a person. */
  signOutAll(id: string): Promise<void>
}

export const auth: ServerAuth = {
  async user(request) {
    const session = sessionOf(request)
    return session === null ? null : ((await askAuth('me', { session }))?.user ?? null)
  },
  async require(request, { role } = {}) {
    const user = await auth.user(request)
    if (user === null) throw new ApiError('unauthorized', 'Sign in first.')
    // Staff may do what members may.
    if (role === 'staff' && user.role !== 'staff') throw new ApiError('forbidden', 'Only staff may do this.')
    return user
  },
  get: (id) => askAuth('find', { id }),
  update: (id, { name }) => askAuth('rename', { id, name }),
  async signOutAll(id) {
    await askAuth('signOutAll', { id })
  },
}
