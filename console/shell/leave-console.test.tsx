import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { meQuery } from '../api/account/session.ts'
import { queryClient } from '../api/request/query-client.ts'
import { findMessage, Refusal, sent, serve } from '../testing/console.tsx'
import { leaveConsole } from './leave-console.ts'

const SIGN_OUT = 'POST /api/auth/sign-out'
const RECENT = 'slipway.recent'

describe('leaving the console', () => {
  let left: string[] = []
  beforeEach(() => {
    left = []
    mock.method(location, 'assign', (path: string) => left.push(path))
    localStorage.setItem(RECENT, '["/projects/prj_1"]')
  })
  afterEach(() => mock.restoreAll())
  /** The user data that is still stored in this browser. */
  const known = () => [queryClient.getQueryData(meQuery().queryKey)?.user?.id, localStorage.getItem(RECENT)]

  test('signing out removes the user data from this browser and opens the sign-in page with the return address', async () => {
    const calls = serve({ [SIGN_OUT]: () => ({ success: true }) })
    await leaveConsole('/invite/inv_1')
    assert.deepEqual(sent(calls, SIGN_OUT), [{}])
    assert.deepEqual(left, ['/sign-in?next=%2Finvite%2Finv_1'])
    assert.deepEqual(known(), [undefined, null])
  })

  test('a sign-out that is refused or does not reach the service shows the reason and keeps the user data', async () => {
    for (const [answer, words] of [
      [() => new Refusal(503, 'unavailable', 'The database is busy.'), /database is busy/],
      [
        () => {
          throw new TypeError('Failed to fetch')
        },
        /did not respond/,
      ],
    ] as const) {
      serve({ [SIGN_OUT]: answer })
      await leaveConsole()
      assert.ok(await findMessage(words))
      assert.deepEqual([left, known()], [[], ['usr_ada', '["/projects/prj_1"]']])
    }
  })
})
