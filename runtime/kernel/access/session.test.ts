import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { enableCapabilities, importInWorkerd, workerEnv } from '../objects/workerd.test.fixture.ts'

const importSession = () => importInWorkerd(() => import('./session.ts'))
const TOKEN = 'u_x.abc.def'
const EXPIRES_AT = '2026-12-20T10:30:00.000Z'

const requestWith = (cookie: string | null, url = 'https://app.test/') =>
  new Request(url, cookie === null ? {} : { headers: { cookie } })

/** The parts of a `Set-Cookie` header. */
const partsOf = (header: string) => header.split('; ')

describe('the cookies of a signed-in person', () => {
  let session: Awaited<ReturnType<typeof importSession>>
  before(async () => {
    session = await importSession()
  })
  beforeEach(() => {
    enableCapabilities('auth')
    delete workerEnv['APP_TIER']
  })
  after(() => {
    enableCapabilities()
    delete workerEnv['APP_TIER']
  })

  test('the session is read from its cookie at any position among other cookies', () => {
    for (const cookie of [
      `__Host-app_session=${TOKEN}`,
      `a=1; __Host-app_session=${TOKEN}; b=2`,
      `a=1;__Host-app_session=${TOKEN}`,
      `a=1;   __Host-app_session=${TOKEN}`,
    ])
      assert.equal(session.sessionOf(requestWith(cookie)), TOKEN, cookie)
  })

  test('a cookie whose name only resembles the name of the session cookie is not read as the session', () => {
    for (const cookie of [
      null,
      '',
      `app_session=${TOKEN}`,
      `x__Host-app_session=${TOKEN}`,
      `__Host-app_session_old=${TOKEN}`,
      `__host-app_session=${TOKEN}`,
      `a="; __Host-app_sessio=${TOKEN}`,
    ])
      assert.equal(session.sessionOf(requestWith(cookie)), null, String(cookie))
  })

  test("over http, as on a developer's machine, the session cookie has no `__Host-` prefix, and one with it is ignored", () => {
    const url = 'http://localhost:8787/'
    assert.equal(session.sessionOf(requestWith(`app_session=${TOKEN}`, url)), TOKEN)
    assert.equal(session.sessionOf(requestWith(`__Host-app_session=${TOKEN}`, url)), null)
    const header = session.sessionCookie(requestWith(null, url), { token: TOKEN, expiresAt: EXPIRES_AT })
    assert.deepEqual(partsOf(header).includes('Secure'), false)
    assert.ok(header.startsWith(`app_session=${TOKEN}; Path=/; HttpOnly; SameSite=Lax`))
  })

  test('a session cookie is sent only to this host over https, is hidden from scripts, and ends with the session', () => {
    const header = session.sessionCookie(requestWith(null), { token: TOKEN, expiresAt: EXPIRES_AT })
    assert.deepEqual(partsOf(header), [
      `__Host-app_session=${TOKEN}`,
      'Path=/',
      'HttpOnly',
      'SameSite=Lax',
      'Secure',
      'Expires=Sun, 20 Dec 2026 10:30:00 GMT',
    ])
  })

  test('signing out removes the session cookie with the same attributes, because otherwise a browser would keep the cookie', () => {
    assert.deepEqual(partsOf(session.sessionCookie(requestWith(null), null)), [
      '__Host-app_session=',
      'Path=/',
      'HttpOnly',
      'SameSite=Lax',
      'Secure',
      'Max-Age=0',
    ])
  })

  test("the preview's session cookie has attributes with which browsers send it from the console's frame", () => {
    workerEnv['APP_TIER'] = 'preview'
    const header = session.sessionCookie(requestWith(null), { token: TOKEN, expiresAt: EXPIRES_AT })
    assert.match(header, /; SameSite=None; Secure; Partitioned; Expires=/)
    assert.match(
      session.sessionCookie(requestWith(null), null),
      /; SameSite=None; Secure; Partitioned; Max-Age=0$/,
    )
  })

  test('the cookie that binds a provider sign-in to its browser expires after ten minutes, and is not the session cookie', () => {
    const header = session.ticketCookie(requestWith(null), 'a ticket')
    assert.ok(header.startsWith('__Host-app_oauth=a ticket; '))
    assert.ok(header.endsWith('; Max-Age=600'))
    const both = requestWith(`__Host-app_oauth=t; __Host-app_session=${TOKEN}`)
    assert.deepEqual([session.oauthTicketOf(both), session.sessionOf(both)], ['t', TOKEN])
    assert.match(session.ticketCookie(requestWith(null), null), /^__Host-app_oauth=; .*; Max-Age=0$/)
  })

  test('a request without a session cookie is from a visitor, and so is every request while the capability auth is off', () => {
    assert.deepEqual(session.callerOf(requestWith(`__Host-app_session=${TOKEN}`)), { session: TOKEN })
    assert.equal(session.callerOf(requestWith(null)), 'anonymous')
    enableCapabilities()
    assert.equal(session.callerOf(requestWith(`__Host-app_session=${TOKEN}`)), 'anonymous')
  })
})
