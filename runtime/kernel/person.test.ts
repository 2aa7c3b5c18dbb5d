import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatToken, newTeamId, newUserId, parseToken, isTeamId, isUserId } from './actor.ts'
import type { AppObjectStub, Objects } from './objects.ts'
import { actorOf, requirePerson } from './person.ts'

const USER = `u_${'a'.repeat(26)}`
const TOKEN = { userId: USER, sessionId: '0'.repeat(16), secret: 'f'.repeat(64) }
const SESSION = formatToken(TOKEN)

/** Texts that no session has. Calling the object that they name would create it. */
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
  SESSION.replace('aaa', '../'),
  SESSION.replace('ffff', 'gggg'),
  `app.${TOKEN.sessionId}.${TOKEN.secret}`,
]

/** Objects of people in which only `SESSION` is valid. Records the names of the objects that are called. */
function openObjects() {
  const called: string[] = []
  const account = async (_kind: string, token: typeof TOKEN) =>
    formatToken(token) === SESSION ? { userId: USER, role: 'member' } : null
  const objects = {
    getByName: (name: string) => {
      called.push(name)
      return { account } as unknown as AppObjectStub
    },
  } as unknown as Objects
  return { objects, called }
}

describe('the person of a session', () => {
  test('a session names its person, in production and in the preview each in an object of its own', async () => {
    const { objects, called } = openObjects()
    const person = { userId: USER, role: 'member' }
    assert.deepEqual(await actorOf(objects, 'production', { session: SESSION }), person)
    assert.deepEqual(await actorOf(objects, 'preview', { session: SESSION }), person)
    assert.deepEqual(called, [`data:${USER}`, `pv:data:${USER}`])
  })

  test('the app itself and a visitor need no look-up', async () => {
    const { objects, called } = openObjects()
    assert.equal(await actorOf(objects, 'production', 'system'), 'system')
    assert.equal(await actorOf(objects, 'production', 'anonymous'), 'anonymous')
    assert.deepEqual(called, [])
  })

  test('a text that cannot be a session is a visitor, and no object is called for it', async () => {
    const { objects, called } = openObjects()
    for (const session of NO_SESSIONS) {
      assert.equal(await actorOf(objects, 'production', { session }), 'anonymous', session)
      await assert.rejects(requirePerson(objects, 'production', session), { code: 'unauthorized' }, session)
    }
    for (const session of [null, undefined, 7, [SESSION], { session: SESSION }])
      await assert.rejects(requirePerson(objects, 'production', session), { code: 'unauthorized' })
    assert.deepEqual(called, [])
  })

  test('a session that has ended is a visitor, and where a person is required it is refused', async () => {
    const { objects } = openObjects()
    const ended = formatToken({ ...TOKEN, secret: '0'.repeat(64) })
    assert.equal(await actorOf(objects, 'production', { session: ended }), 'anonymous')
    await assert.rejects(requirePerson(objects, 'production', ended), {
      code: 'unauthorized',
      message: 'Sign in first.',
    })
    assert.deepEqual(await requirePerson(objects, 'production', SESSION), TOKEN)
  })

  test('a session keeps its parts when it is written and read again', () => {
    assert.deepEqual(parseToken(SESSION), TOKEN)
  })

  test('new ids of people and teams are valid, are never mistaken for each other, and differ', () => {
    const users = Array.from({ length: 100 }, newUserId)
    const teams = Array.from({ length: 100 }, newTeamId)
    assert.ok(users.every((id) => isUserId(id) && !isTeamId(id)))
    assert.ok(teams.every((id) => isTeamId(id) && !isUserId(id)))
    assert.equal(new Set([...users, ...teams]).size, 200)
  })
})
