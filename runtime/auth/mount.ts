import { Hono } from 'hono'
import type { Context } from 'hono'
import { succeed } from '../kernel/worker/envelope.ts'
import { ApiError, notSignedIn } from '../kernel/errors.ts'
import { gateCookie } from '../kernel/pages/gate.ts'
import { readJson } from '../kernel/access/guard.ts'
import type { Mount } from '../kernel/worker/mount.ts'
import { sessionCookie, sessionOf, ticketCookie, oauthTicketOf } from '../kernel/access/session.ts'
import { handoverPage, handoverScript } from './sign-in/handover-page.ts'
import { callAuth, callAuthWithMail } from './rpc-client.ts'
import type { InboxMail } from '../email/store.ts'
import type { SignInResult } from './types.ts'

/**
 * The routes of `/_app/auth`. Only cookies carry a session.
 * For anyone: GET `settings` and `me`, POST `sign-up`, `sign-up/code`, `sign-in`, `code`, `code/confirm`, `reset`, `reset/confirm`,
 * `passkey/options`, `passkey/verify`, GET `oauth/:id/start` and `oauth/:id/callback`, and GET and POST `handover` for members of the
 * operator's organization.
 * For people who are signed in: POST `sign-out`, `password`, `verify`, `verify/confirm`, `passkeys` and `passkeys/options`, PATCH `me`, GET
 * and DELETE of `sessions` and `passkeys`.
 */
const authRoutes = new Hono()
  .get('/settings', async () => succeed(await callAuth('settings', null)))
  .post('/sign-up', async (c) => {
    const { email, password, name, invite, code } = await readJson(c.req.raw)
    return respondSignedIn(
      c,
      await callAuth('signUp', { email, password, name, invite, code, ...visitOf(c) }),
    )
  })
  .post('/sign-up/code', async (c) => {
    const { email, password, name, invite } = await readJson(c.req.raw)
    return succeedWithMail(
      await callAuthWithMail('sendSignUp', { email, password, name, invite, ...visitOf(c) }),
    )
  })
  .post('/sign-in', async (c) => {
    const { email, password } = await readJson(c.req.raw)
    return respondSignedIn(c, await callAuth('signIn', { email, password, ...visitOf(c) }))
  })
  .post('/sign-out', async (c) => {
    const session = sessionOf(c.req.raw)
    if (session !== null) await callAuth('signOut', { session })
    return withCookie(c, succeed(null), null)
  })
  .get('/handover', () => handoverPage())
  .get('/handover.js', () => handoverScript())
  .post('/handover', async (c) => {
    const { token } = await readJson(c.req.raw)
    const answer = respondSignedIn(c, await callAuth('handover', { token, device: userAgentOf(c) }))
    // A person who comes from the console needs no access code, so also set the cookie that entering the code would set.
    const pass = await gateCookie(c.req.raw)
    if (pass !== null) answer.headers.append('set-cookie', pass)
    return answer
  })
  .get('/me', async (c) => {
    const session = sessionOf(c.req.raw)
    const me = session === null ? null : await callAuth('me', { session })
    const answer = succeed(me?.user ?? null)
    if (me?.renewed) return withCookie(c, answer, me.renewed)
    return session !== null && me === null ? withCookie(c, answer, null) : answer
  })
  .patch('/me', async (c) => {
    const { name } = await readJson(c.req.raw)
    return succeed(await callAuth('update', { session: requireSession(c), name }))
  })
  .post('/password', async (c) => {
    const { current, next } = await readJson(c.req.raw)
    const session = requireSession(c)
    return respondSignedIn(
      c,
      await callAuth('changePassword', { session, current, next, device: userAgentOf(c) }),
    )
  })
  .get('/sessions', async (c) => succeed(await callAuth('sessions', { session: requireSession(c) })))
  .delete('/sessions/:id', async (c) => {
    await callAuth('revoke', { session: requireSession(c), id: c.req.param('id') })
    return succeed(null)
  })
  .post('/code', async (c) => {
    const { email, invite } = await readJson(c.req.raw)
    return succeedWithMail(await callAuthWithMail('sendCode', { email, invite, from: networkOf(c) }))
  })
  .post('/code/confirm', async (c) => {
    const { email, code, invite } = await readJson(c.req.raw)
    return respondSignedIn(c, await callAuth('confirmCode', { email, code, invite, ...visitOf(c) }))
  })
  .post('/verify', async (c) =>
    succeedWithMail(await callAuthWithMail('sendVerify', { session: requireSession(c), from: networkOf(c) })),
  )
  .post('/verify/confirm', async (c) => {
    const { code } = await readJson(c.req.raw)
    return succeed(await callAuth('confirmVerify', { session: requireSession(c), code }))
  })
  .post('/reset', async (c) => {
    const { email } = await readJson(c.req.raw)
    return succeedWithMail(
      await callAuthWithMail('requestReset', { email, origin: requestOrigin(c), from: networkOf(c) }),
    )
  })
  .post('/reset/confirm', async (c) => {
    const { token, password } = await readJson(c.req.raw)
    await callAuth('reset', { token, password, from: networkOf(c) })
    return withCookie(c, succeed(null), null)
  })
  .post('/passkey/options', async (c) =>
    succeed(await callAuth('passkeyOptions', { origin: requestOrigin(c), from: networkOf(c) })),
  )
  .post('/passkey/verify', async (c) => {
    const { credential } = await readJson(c.req.raw)
    return respondSignedIn(
      c,
      await callAuth('signInPasskey', { origin: requestOrigin(c), credential, ...visitOf(c) }),
    )
  })
  .get('/passkeys', async (c) => succeed(await callAuth('passkeys', { session: requireSession(c) })))
  .post('/passkeys/options', async (c) =>
    succeed(await callAuth('newPasskeyOptions', { session: requireSession(c), origin: requestOrigin(c) })),
  )
  .post('/passkeys', async (c) => {
    const { name, credential } = await readJson(c.req.raw)
    const session = requireSession(c)
    return succeed(await callAuth('addPasskey', { session, origin: requestOrigin(c), name, credential }))
  })
  .delete('/passkeys/:id', async (c) => {
    await callAuth('removePasskey', { session: requireSession(c), id: c.req.param('id') })
    return succeed(null)
  })
  .get('/oauth/:id/start', async (c) => {
    const ask = { provider: c.req.param('id'), origin: requestOrigin(c), from: networkOf(c) }
    const returnTo = c.req.query('returnTo') ?? '/'
    return redirectOnError(c, async () => {
      const { url, ticket } = await callAuth('oauthStart', { ...ask, returnTo })
      return redirectTo(url, [ticketCookie(c.req.raw, ticket)])
    })
  })
  .get('/oauth/:id/callback', async (c) => {
    const ask = { provider: c.req.param('id'), ticket: oauthTicketOf(c.req.raw) ?? '', ...visitOf(c) }
    const [state, code] = [c.req.query('state') ?? '', c.req.query('code') ?? '']
    return redirectOnError(c, async () => {
      const { session, to } = await callAuth('oauthFinish', { ...ask, state, code })
      const cookies = session === null ? [] : [sessionCookie(c.req.raw, session)]
      return redirectTo(to, [...cookies, ticketCookie(c.req.raw, null)])
    })
  })

const visitOf = (c: Context) => ({ device: userAgentOf(c), from: networkOf(c) })

const networkOf = (c: Context): string => c.req.header('cf-connecting-ip') ?? ''

const requestOrigin = (c: Context): string => new URL(c.req.url).origin

const userAgentOf = (c: Context): string => c.req.header('user-agent') ?? ''

function requireSession(c: Context): string {
  const session = sessionOf(c.req.raw)
  if (session === null) throw notSignedIn()
  return session
}

const respondSignedIn = (c: Context, session: SignInResult): Response =>
  withCookie(c, succeed({ user: session.user }), session)

function withCookie(c: Context, answer: Response, session: SignInResult | null): Response {
  answer.headers.append('set-cookie', sessionCookie(c.req.raw, session))
  return answer
}

/** A preview sends no messages, so its response contains them. */
const succeedWithMail = ({ value, mail }: { value: unknown; mail: InboxMail[] | null }): Response =>
  succeed(value, mail === null ? undefined : { mail })

/** Wraps a page navigation: an error redirects to the sign-in page instead of returning JSON. */
async function redirectOnError(c: Context, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const problem = error.code === 'rate_limited' ? 'wait' : 'failed'
    return redirectTo(`/sign-in?problem=${problem}`, [ticketCookie(c.req.raw, null)])
  }
}

function redirectTo(location: string, cookies: string[]): Response {
  const answer = new Response(null, { status: 302, headers: { location, 'cache-control': 'no-store' } })
  for (const cookie of cookies) answer.headers.append('set-cookie', cookie)
  return answer
}

export const mount: Mount = { routes: authRoutes }
