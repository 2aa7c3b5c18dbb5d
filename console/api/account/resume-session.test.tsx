import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Me } from '@slipway/sdk/client/types.gen.ts'
import { QueryObserver } from '@tanstack/react-query'
import { waitFor } from '@testing-library/react'
import { Refusal, sent, serve, untilSent } from '../../testing/console.tsx'
import { queryClient } from '../request/query-client.ts'
import { resumeSession } from './resume-session.ts'

const SESSION = 'GET /api/auth/get-session'
const SWITCH = 'POST /api/auth/organization/set-active'
const PAGE = { user: { id: 'usr_ada' }, organization: { id: 'org_1' } } as Me
const sessionOf = (userId: string, activeOrganizationId: string | null) => ({
  user: { id: userId },
  session: { activeOrganizationId },
})

function serveSession(session: object | null) {
  const calls = serve({ [SESSION]: () => session, [SWITCH]: () => ({ id: 'org_1' }) })
  return () => sent(calls, SWITCH)
}

describe('a page whose session has ended', () => {
  test("after its own user signs in again, an open page continues, and the new session is switched to the page's organization", async () => {
    for (const active of ['org_2', null]) {
      const switched = serveSession(sessionOf('usr_ada', active))
      assert.equal(await resumeSession(PAGE), true)
      assert.deepEqual(switched(), [{ organizationId: 'org_1' }], `the session began in ${active}`)
    }
  })

  test('a new session that is already in the organization of the open page is not switched', async () => {
    const switched = serveSession(sessionOf('usr_ada', 'org_1'))
    assert.equal(await resumeSession(PAGE), true)
    assert.deepEqual(switched(), [])
  })

  test("an open page does not continue when another user signs in, and that user's session is not switched", async () => {
    const switched = serveSession(sessionOf('usr_bob', 'org_2'))
    assert.equal(await resumeSession(PAGE), false)
    assert.deepEqual(switched(), [])
  })

  test('an open page whose session ended does not continue without a new session', async () => {
    serveSession(null)
    assert.equal(await resumeSession(PAGE), false)
  })

  test("when the switch to the open page's organization is refused, an error prevents reads in another organization", async () => {
    serve({
      [SESSION]: () => sessionOf('usr_ada', 'org_2'),
      [SWITCH]: () => new Refusal(403, 'USER_IS_NOT_A_MEMBER', 'You are not a member.'),
    })
    await assert.rejects(resumeSession(PAGE), { code: 'user_is_not_a_member' })
  })

  test('after an open page continues with a new session, only its queries that failed without a session are read again', async () => {
    const reads = { failed: 0, fine: 0 }
    const observe = (key: 'failed' | 'fine', read: () => Promise<string>) =>
      new QueryObserver(queryClient, { queryKey: ['resumed', key], queryFn: read, retry: false }).subscribe(
        () => {},
      )
    const stops = [
      observe('failed', async () => {
        if (++reads.failed === 1) throw new Error('signed out')
        return 'read'
      }),
      observe('fine', async () => {
        reads.fine++
        return 'read'
      }),
    ]
    await waitFor(() => assert.equal(queryClient.getQueryState(['resumed', 'failed'])?.status, 'error'))
    serveSession(sessionOf('usr_ada', 'org_1'))
    await resumeSession(PAGE)
    await waitFor(() => assert.equal(queryClient.getQueryData(['resumed', 'failed']), 'read'))
    await untilSent()
    assert.deepEqual(reads, { failed: 2, fine: 1 })
    for (const stop of stops) stop()
  })
})
