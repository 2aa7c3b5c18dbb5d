import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Refusal, sent, serve } from '../../testing/console.tsx'
import { queryClient } from '../request/query-client.ts'
import { queryKeys } from '../query-keys.ts'
import { lastOrganizations, rememberOrganization, resumeOrganization } from './last-organization.ts'

const SWITCH = 'POST /api/auth/organization/set-active'
const me = (organizationId: string, userId: string | null = 'usr_ada') => ({
  user: userId === null ? null : { id: userId },
  organization: { id: organizationId },
})

describe('the organizations that a user worked in on this device', () => {
  test('the list of last used organizations has each organization of a user once, the last used one first', () => {
    for (const id of ['org_1', 'org_2', 'org_1', 'org_3', 'org_2']) rememberOrganization('usr_ada', id)
    assert.deepEqual(lastOrganizations('usr_ada'), ['org_2', 'org_3', 'org_1'])
  })

  test('the organizations of one user are not listed for another user', () => {
    rememberOrganization('usr_ada', 'org_1')
    assert.deepEqual(lastOrganizations('usr_bob'), [])
  })

  test('only the fifty organizations that were used last are remembered on a device', () => {
    for (let n = 0; n < 60; n++) rememberOrganization('usr_ada', `org_${n}`)
    const kept = lastOrganizations('usr_ada')
    assert.deepEqual([kept.length, kept[0], kept.at(-1)], [50, 'org_59', 'org_10'])
  })

  test('an invalid stored list of last used organizations counts as empty, and is replaced when an organization is used', () => {
    for (const text of ['', '{', 'null', '"org_1"', '{"0":"org_1"}', '[1,{},null]']) {
      localStorage.setItem('slipway.organizations.usr_ada', text)
      assert.deepEqual(lastOrganizations('usr_ada'), [], text)
      rememberOrganization('usr_ada', 'org_1')
      assert.deepEqual(lastOrganizations('usr_ada'), ['org_1'], text)
    }
  })

  test('in a browser that blocks storage no organization is remembered, and no error is thrown', () => {
    const storage = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
    assert.ok(storage)
    Object.defineProperty(globalThis, 'localStorage', {
      configurable: true,
      get() {
        throw new DOMException('blocked', 'SecurityError')
      },
    })
    try {
      rememberOrganization('usr_ada', 'org_1')
      assert.deepEqual(lastOrganizations('usr_ada'), [])
    } finally {
      Object.defineProperty(globalThis, 'localStorage', storage)
    }
  })
})

describe('a sign-in', () => {
  const signIn = async (answer: () => unknown, change: () => unknown = () => ({})) => {
    queryClient.clear()
    const calls = serve({ 'GET /me': answer, [SWITCH]: change })
    await resumeOrganization()
    return sent(calls, SWITCH)
  }

  test('a sign-in switches to the last used organization of this device, and drops the cached data of the initial organization', async () => {
    rememberOrganization('usr_ada', 'org_2')
    assert.deepEqual(await signIn(() => me('org_1')), [{ organizationId: 'org_2' }])
    assert.equal(queryClient.getQueryData(queryKeys.me), undefined)
  })

  test('a sign-in that begins in the last used organization does not switch, and keeps the cached data', async () => {
    rememberOrganization('usr_ada', 'org_1')
    assert.deepEqual(await signIn(() => me('org_1')), [])
    assert.deepEqual(queryClient.getQueryData(queryKeys.me), me('org_1'))
  })

  test('the first sign-in on a device stays in the organization in which it begins', async () => {
    assert.deepEqual(await signIn(() => me('org_1')), [])
  })

  test('a sign-in whose last organization no longer admits the user stays in the initial organization, without an error', async () => {
    rememberOrganization('usr_ada', 'org_2')
    const switches = await signIn(
      () => me('org_1'),
      () => new Refusal(403, 'USER_IS_NOT_A_MEMBER', 'You are not a member.'),
    )
    assert.deepEqual(switches, [{ organizationId: 'org_2' }])
    assert.deepEqual(queryClient.getQueryData(queryKeys.me), me('org_1'))
  })

  test('after the sign-in of a user without an organization, no error is thrown', async () => {
    assert.deepEqual(await signIn(() => new Refusal(403, 'forbidden', 'No organization.')), [])
  })
})
