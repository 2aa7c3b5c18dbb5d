import { Hono } from 'hono'
import type { Context } from 'hono'
import { succeed } from '../kernel/envelope.ts'
import { ApiError } from '../kernel/errors.ts'
import { readJson } from '../kernel/guard.ts'
import type { Mount } from '../kernel/mount.ts'
import { sessionCookie, sessionOf } from '../kernel/session.ts'
import { askAuth } from './live.ts'
import type { SignedIn } from './types.ts'

/**
 * `/_app/auth`: POST `sign-up`, `sign-in`, `sign-out` and `password`, GET and PATCH `me`, GET `sessions`, DELETE
 * `sessions/:id`, and GET `settings`. Only cookies carry a session.
 */
const routes = new Hono()
  .get('/settings', async () => succeed(await askAuth('settings', null)))
  .post('/sign-up', async (c) => {
    const { email, password, name } = await fieldsOf(c)
    return signedIn(c, await askAuth('signUp', { email, password, name, ...visitOf(c) }))
  })
  .post('/sign-in', async (c) => {
    const { email, password } = await fieldsOf(c)
    return signedIn(c, await askAuth('signIn', { email, password, ...visitOf(c) }))
  })
  .post('/sign-out', async (c) => {
    const session = sessionOf(c.req.raw)
    if (session !== null) await askAuth('signOut', { session })
    return withCookie(c, succeed(null), null)
  })
  .get('/me', async (c) => {
    const session = sessionOf(c.req.raw)
    const me = session === null ? null : await askAuth('me', { session })
    const answer = succeed(me?.user ?? null)
    if (me?.renewed) return withCookie(c, answer, me.renewed)
    return session !== null && me === null ? withCookie(c, answer, null) : answer
  })
  .patch('/me', async (c) => {
    const { name } = await fieldsOf(c)
    return succeed(await askAuth('update', { session: requireSession(c), name }))
  })
  .post('/password', async (c) => {
    const { current, next } = await fieldsOf(c)
    const session = requireSession(c)
    return signedIn(c, await askAuth('changePassword', { session, current, next, device: deviceOf(c) }))
  })
  .get('/sessions', async (c) => succeed(await askAuth('sessions', { session: requireSession(c) })))
  .delete('/sessions/:id', async (c) => {
    await askAuth('revoke', { session: requireSession(c), id: c.req.param('id') })
    return succeed(null)
  })

/** The fields of a form, as they were sent: the objects validate them. */
type Sent = Record<'email' | 'password' | 'name' | 'current' | 'next', string>

const fieldsOf = async (c: Context): Promise<Sent> => (await readJson(c.req.raw)) as Sent

const visitOf = (c: Context) => ({ device: deviceOf(c), from: c.req.header('cf-connecting-ip') ?? '' })

const deviceOf = (c: Context): string => c.req.header('user-agent') ?? ''

function requireSession(c: Context): string {
  const session = sessionOf(c.req.raw)
  if (session === null) throw new ApiError('unauthorized', 'Sign in first.')
  return session
}

const signedIn = (c: Context, session: SignedIn): Response =>
  withCookie(c, succeed({ user: session.user }), session)

function withCookie(c: Context, answer: Response, session: SignedIn | null): Response {
  answer.headers.append('set-cookie', sessionCookie(c.req.raw, session))
  return answer
}

export const mount: Mount = { routes }
