import { type Context, Hono } from 'hono'
import { succeed } from '../kernel/worker/envelope.ts'
import { readJson } from '../kernel/access/guard.ts'
import type { Mount } from '../kernel/worker/mount.ts'
import { sessionOf } from '../kernel/access/session.ts'
import { callTeam } from './rpc-client.ts'

/**
 * The routes of `/_app/team`, for people who are signed in: GET and POST `/`, GET, PATCH and DELETE `/:id`, POST `/:id/invites`, DELETE
 * `/:id/invites/:invite`, POST `/invites/accept`, PATCH and DELETE `/:id/members/:user`.
 */
const teamRoutes = new Hono()
  .get('/', async (c) => succeed(await callTeam('list', { session: sessionIn(c) })))
  .post('/', async (c) => {
    const { name } = await readJson(c.req.raw)
    return succeed(await callTeam('create', { session: sessionIn(c), name }))
  })
  // Cannot collide with a team's routes: `invites` is not a valid team id.
  .post('/invites/accept', async (c) => {
    const { token } = await readJson(c.req.raw)
    return succeed(await callTeam('accept', { session: sessionIn(c), token }))
  })
  .get('/:id', async (c) => succeed(await callTeam('get', teamParams(c))))
  .patch('/:id', async (c) => {
    const { name } = await readJson(c.req.raw)
    return succeed(await callTeam('rename', { ...teamParams(c), name }))
  })
  .delete('/:id', async (c) => succeed(await callTeam('delete', teamParams(c))))
  .post('/:id/invites', async (c) => {
    const { email = null, role = 'member' } = await readJson(c.req.raw)
    const { origin } = new URL(c.req.url)
    return succeed(await callTeam('invite', { ...teamParams(c), email, role, origin }))
  })
  .delete('/:id/invites/:invite', async (c) =>
    succeed(await callTeam('revokeInvite', { ...teamParams(c), invite: c.req.param('invite') })),
  )
  .patch('/:id/members/:user', async (c) => {
    const { role = '' } = await readJson(c.req.raw)
    return succeed(await callTeam('setRole', { ...teamParams(c), user: c.req.param('user'), role }))
  })
  .delete('/:id/members/:user', async (c) =>
    succeed(await callTeam('remove', { ...teamParams(c), user: c.req.param('user') })),
  )

const sessionIn = (c: Context): string => sessionOf(c.req.raw) ?? ''

const teamParams = (c: Context) => ({ session: sessionIn(c), id: c.req.param('id') ?? '' })

export const mount: Mount = { routes: teamRoutes }
