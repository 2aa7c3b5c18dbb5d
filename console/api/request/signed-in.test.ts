import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { queryKeys } from '../query-keys.ts'
import { queryClient } from './query-client.ts'
import { onSessionEnd, whileSignedIn } from './signed-in.ts'

describe('a session that ends while a page is open', () => {
  let isIn: boolean
  let asked: number
  let answer: (isIn: boolean) => void
  beforeEach(() => {
    isIn = false
    asked = 0
    queryClient.setQueryData(queryKeys.me, { user: { id: 'ada' } })
    onSessionEnd(() => {
      asked++
      return new Promise((resolve) => {
        answer = (yes) => {
          isIn = yes
          resolve(yes)
        }
      })
    })
  })
  afterEach(async () => {
    queryClient.clear()
    onSessionEnd(() => Promise.resolve(false))
  })

  const ended = new SlipwayError('Sign in first.', { code: 'unauthorized', status: 401 })
  const send = (what: string) => () => (isIn ? Promise.resolve(what) : Promise.reject(ended))
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  test('requests that fail because the session ended share one sign-in dialog and are sent again after the sign-in', async () => {
    const both = Promise.all([whileSignedIn(true, send('list')), whileSignedIn(false, send('saved'))])
    await turn()
    answer(true)
    assert.deepEqual(await both, ['list', 'saved'])
    assert.equal(asked, 1)
  })

  test('after the user declines to sign in again, the failed request is not repeated, and only a later write reopens the dialog', async () => {
    const first = whileSignedIn(false, send('saved'))
    await turn()
    answer(false)
    await assert.rejects(first, ended)
    await assert.rejects(whileSignedIn(true, send('list')), ended)
    assert.equal(asked, 1)
    const next = whileSignedIn(false, send('saved'))
    await turn()
    answer(true)
    assert.equal(await next, 'saved')
    assert.equal(asked, 2)
  })

  test('the sign-in dialog does not open when no user was signed in, or after an error other than an ended session', async () => {
    const forbidden = new SlipwayError('No.', { code: 'forbidden', status: 403 })
    await assert.rejects(
      whileSignedIn(false, () => Promise.reject(forbidden)),
      forbidden,
    )
    queryClient.clear()
    await assert.rejects(whileSignedIn(false, send('saved')), ended)
    assert.equal(asked, 0)
  })
})
