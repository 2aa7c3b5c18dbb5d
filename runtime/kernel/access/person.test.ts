import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatSessionToken, newTeamId, newUserId, parseToken, isTeamId, isUserId } from './actor.ts'
import type { AppObjectStub, Objects } from '../objects/objects.ts'
import { actorOf, requirePerson } from './person.ts'

const USER = `u_${'a'.repeat(26)}`
const TOKEN = { userId: USER, sessionId: '0'.repeat(16), secret: 'f'.repeat(64) }
const SESSION = formatSessionToken(TOKEN)

/** Texts that are not session tokens. Each names a Durable Object, which a call would create. */
const NO_SESSIONS = [
  '',
  'x',
  `${USER}.${TOKEN.sessionId}`,
  `${SESSION}.more`,
  `${SESSION} `,
  `${SESSION}\n`,
  SESSION.toUpperCase(),
  SESSION.replace('u_', 't_'),
  SESSION.replace('u_', 'u_a'),
  SESSION.replace('aaa', '../../'),
  SESSION.replace('ffff', 'gggg'),
  `app.${TOKEN.sessionId}.${TOKEN.secret}`,
]

/** Fakes the Durable Objects of people, in which only `SESSION` is valid. Records the name of each object that is called. */
function openObjects() {
  const called: string[] = []
  const account = async (_kind: string, token: typeof TOKEN) =>
    formatSessionToken(token) === SESSION ? { userId: USER, role: 'member' } : null
  const objects = {
    getByName: (name: string) => {
      called.push(name)
      return { account } as unknown as AppObjectStub
    },
  } as unknown as Objects
  return { objects, called }
}

describe('the person of a session', () => {
  test('the person of a session is read from the Durable Object of that person in the same tier (production or preview)', async () => {
    const { objects, called } = openObjects()
    const person = { userId: USER, role: 'member' }
    assert.deepEqual(await actorOf(objects, 'production', { session: SESSION }), person)
    assert.deepEqual(await actorOf(objects, 'preview', { session: SESSION }), person)
    assert.deepEqual(called, [`data:${USER}`, `pv:data:${USER}`])
  })

  test('the server code of an app and a visitor are identified without a call to a Durable Object', async () => {
    const { objects, called } = openObjects()
    assert.equal(await actorOf(objects, 'production', 'system'), 'system')
    assert.equal(await actorOf(objects, 'production', 'anonymous'), 'anonymous')
    assert.deepEqual(called, [])
  })

  test('a text that cannot be a session token counts as a visitor, and no Durable Object is called for it', async () => {
    const { objects, called } = openObjects()
    for (const session of NO_SESSIONS) {
      assert.equal(await actorOf(objects, 'production', { session }), 'anonymous', session)
      await assert.rejects(requirePerson(objects, 'production', session), { code: 'unauthorized' }, session)
    }
    for (const session of [null, undefined, 7, [SESSION], { session: SESSION }])
      await assert.rejects(requirePerson(objects, 'production', session), { code: 'unauthorized' })
    assert.deepEqual(called, [])
  })

  test('an ended session counts as a visitor, and is refused where a signed-in person is required', async () => {
    const { objects } = openObjects()
    const ended = formatSessionToken({ ...TOKEN, secret: '0'.repeat(64) })
    assert.equal(await actorOf(objects, 'production', { session: ended }), 'anonymous')
    await assert.rejects(requirePerson(objects, 'production', ended), {
      code: 'unauthorized',
      message: 'Sign in first.',
    })
    assert.deepEqual(await requirePerson(objects, 'production', SESSION), TOKEN)
  })

  test('a session token has the same parts after it is formatted and parsed again', () => {
    assert.deepEqual(parseToken(SESSION), TOKEN)
  })

  test('new ids of people and teams are valid and unique, and neither is accepted as the other', () => {
    const users = Array.from({ length: 100 }, newUserId)
    const teams = Array.from({ length: 100 }, newTeamId)
    assert.ok(users.every((id) => isUserId(id) && !isTeamId(id)))
    assert.ok(teams.every((id) => isTeamId(id) && !isUserId(id)))
    assert.equal(new Set([...users, ...teams]).size, 200)
  })
})
