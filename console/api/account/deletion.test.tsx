import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AccountDeletion } from '@slipway/sdk/client/types.gen.ts'
import { Refusal, sent, serve } from '../../testing/console.tsx'
import { deleteAccount } from './deletion.ts'

const STEP = 'POST /account/deletion/step'
const step = (part: object) => ({ email: 'ada@example.test', deletion: null, failed: [], left: [], ...part })
const stuck = [{ id: 'res_1', name: 'bucket', projectName: 'Plants', reason: 'not empty' }]

/** Runs the deletion with these responses of the service. Returns the result of the deletion, and what was sent and reported. */
function run(
  answers: (object | Refusal)[],
  { leaveStuck = false, onStep = (_plan: AccountDeletion) => {} } = {},
) {
  const stop = new AbortController()
  const calls = serve({ [STEP]: () => answers.shift() })
  const seen: AccountDeletion[] = []
  const done = deleteAccount({
    confirm: 'ada@example.test',
    leaveStuck,
    signal: stop.signal,
    onStep: (plan) => {
      seen.push(plan)
      onStep(plan)
    },
  })
  return { done, stop, seen, bodies: () => sent(calls, STEP) }
}

describe('the deletion of an account', () => {
  test('the deletion of an account requests one step after another and reports each, until the account is deleted', async () => {
    const { done, seen, bodies } = run([step({ n: 1 }), step({ n: 2 }), step({ deletion: { id: 'del_1' } })])
    assert.deepEqual((await done).deletion, { id: 'del_1' })
    assert.equal(seen.length, 3)
    assert.deepEqual(
      bodies(),
      [1, 2, 3].map(() => ({ confirm: 'ada@example.test', leaveStuck: false })),
    )
  })

  test('a resource that cannot be removed stops the account deletion, so that the person can decide whether to leave it behind', async () => {
    const { done, bodies } = run([step({}), step({ failed: stuck }), step({ deletion: { id: 'del_1' } })])
    assert.deepEqual((await done).failed, stuck)
    assert.equal(bodies()?.length, 2)
  })

  test('the decision to leave resources that cannot be removed is sent with each step of the deletion', async () => {
    const { done, bodies } = run([step({}), step({ deletion: { id: 'del_1' } })], { leaveStuck: true })
    await done
    assert.deepEqual(
      bodies(),
      [1, 2].map(() => ({ confirm: 'ada@example.test', leaveStuck: true })),
    )
  })

  test('a stopped account deletion reports its current step and requests no further step', async () => {
    const answers = [step({}), step({}), step({ deletion: { id: 'del_1' } })]
    const { done, stop, seen, bodies } = run(answers, { onStep: () => stop.abort() })
    assert.equal((await done).deletion, null)
    assert.deepEqual([seen.length, bodies()?.length], [1, 1])
  })

  test('a refused step ends the deletion with its error, and no further step is requested', async () => {
    const { done, bodies } = run([
      step({}),
      new Refusal(403, 'forbidden', 'You own an organization.'),
      step({}),
    ])
    await assert.rejects(done, { code: 'forbidden' })
    assert.equal(bodies()?.length, 2)
  })
})
