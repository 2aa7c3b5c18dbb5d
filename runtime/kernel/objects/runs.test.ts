import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { callHandlers, type HandlersBinding, handlersOf, type RunCaller } from './runs.ts'

const NOT_CONNECTED = { ok: false, error: 'The app is not connected with its jobs. Ship it again.' }
const app = (name: string) => ({ name }) as unknown as HandlersBinding
const [APP, APP_PREVIEW] = [app('live'), app('preview')]
const CALLERS: RunCaller[] = ['schedule', 'hook', 'email', 'pay']
/** The capabilities that may call the app's worker. */
const mayCall = (env: object, tier: 'production' | 'preview' = 'production') =>
  CALLERS.filter((caller) => handlersOf({ env, tier }, caller) !== null)

describe('calls of Durable Objects to the worker of the app', () => {
  test('a Durable Object calls only the app worker of its own tier (production or preview)', () => {
    const env = { APP, APP_PREVIEW }
    assert.equal(handlersOf({ env, tier: 'production' }, 'hook'), APP)
    assert.equal(handlersOf({ env, tier: 'preview' }, 'hook'), APP_PREVIEW)
    assert.equal(handlersOf({ env: { APP }, tier: 'preview' }, 'hook'), null)
    assert.equal(handlersOf({ env: { APP_PREVIEW }, tier: 'production' }, 'hook'), null)
  })

  test('only the capabilities that are listed for a tier may call its app worker', () => {
    const env = { APP, APP_PREVIEW, APP_CALLERS: '["hook","pay"]', APP_PREVIEW_CALLERS: '[]' }
    assert.deepEqual([mayCall(env), mayCall(env, 'preview')], [['hook', 'pay'], []])
  })

  test('when no capabilities are listed, as in a live worker of an earlier version, every capability may call the app worker', () => {
    assert.deepEqual(mayCall({ APP }), CALLERS)
    assert.deepEqual(mayCall({ APP_CALLERS: '["hook"]' }), [])
  })

  test('the outcome of a job is returned as the app reports it', async () => {
    for (const outcome of [{ ok: true }, { ok: false, error: 'No plants.' }] as const)
      assert.deepEqual(
        await callHandlers({ env: { APP }, tier: 'production' }, 'schedule', async (handlers) => {
          assert.equal(handlers, APP)
          return outcome
        }),
        outcome,
      )
  })

  test('a job of an app that is not deployed, or may not be called, fails without a call and says what to do', async () => {
    for (const env of [{}, { APP, APP_CALLERS: '["pay"]' }])
      assert.deepEqual(
        await callHandlers({ env, tier: 'production' }, 'schedule', () => assert.fail('was called')),
        NOT_CONNECTED,
      )
  })

  test('a job whose call throws or rejects fails with the message of the error', async () => {
    const at = { env: { APP }, tier: 'production' as const }
    const failing = [
      async () => Promise.reject(new Error('The worker was reset.')),
      () => {
        throw new Error('The worker was reset.')
      },
    ]
    for (const call of failing)
      assert.deepEqual(await callHandlers(at, 'hook', call), { ok: false, error: 'The worker was reset.' })
    const outcome = await callHandlers(at, 'hook', async () => Promise.reject('plain text'))
    assert.deepEqual(outcome, { ok: false, error: 'plain text' })
  })
})
