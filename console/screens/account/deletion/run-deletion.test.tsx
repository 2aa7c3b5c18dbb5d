import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountDeletion } from '@slipway/sdk/client/types.gen.ts'
import { screen, waitFor } from '@testing-library/react'
import { button, press, Refusal, serve, show, untilSent, write } from '../../../testing/console.tsx'
import { RunDeletion } from './run-deletion.tsx'

const STEP_CALL = 'POST /account/deletion/step'
const organization: AccountDeletion['organizations'][number] = {
  id: 'org_1',
  name: 'Plants',
  disposition: 'delete',
  projectsLeft: 2,
  cloudConnected: true,
}
const plan: AccountDeletion = {
  email: 'ada@example.test',
  organizations: [organization],
  projectsLeft: 2,
  projects: [],
  spent: 0,
  cleared: 0,
  failed: [],
  left: [],
  deletion: null,
}
const finishedPlan = { ...plan, projectsLeft: 0, deletion: { finishedAt: '2026-01-02T00:00:00Z' } }
const stuckPlan = {
  ...plan,
  spent: 10,
  failed: [
    {
      id: 'res_1',
      kind: 'bucket',
      name: 'plants-files',
      projectId: 'prj_1',
      projectName: 'Plants',
      reason: 'it is locked',
    },
  ],
}

function renderRunDeletion(from: AccountDeletion, answer: () => unknown = () => finishedPlan) {
  const calls = serve({ [STEP_CALL]: answer })
  const done: AccountDeletion[] = []
  const view = show(<RunDeletion plan={from} onDone={(last) => done.push(last)} />)
  const bodies = () => (calls[STEP_CALL] ?? []).map(({ body }) => body)
  return { done, bodies, unmount: () => view.unmount() }
}
/** The reason why the delete button is disabled, as a screen reader reads it. */
const disabledReason = () => button('Delete my account').getAttribute('aria-description')
const typeConfirmation = () => write(/Type your e-mail address/, 'ada@example.test')

describe('the run of an account deletion', () => {
  test('an account is not deleted before its exact e-mail address is typed', async () => {
    const { bodies } = renderRunDeletion(plan)
    press(/Delete my account/)
    write(/Type your e-mail address/, 'ada@example.tes')
    press(/Delete my account/)
    await untilSent()
    assert.deepEqual(bodies(), [])
    assert.equal(disabledReason(), 'Type your e-mail address first.')
  })

  test('an account is not deleted while the person owns an organization with other members', async () => {
    const { bodies } = renderRunDeletion({
      ...plan,
      organizations: [{ ...organization, disposition: 'blocked' }],
    })
    typeConfirmation()
    press(/Delete my account/)
    await untilSent()
    assert.deepEqual(bodies(), [])
    assert.equal(disabledReason(), 'An organization is in the way.')
  })

  test('account deletion steps are sent until the account is deleted, and `onDone` gets the last response', async () => {
    const steps = [{ ...plan, projectsLeft: 1, cleared: 4 }, finishedPlan]
    const { done, bodies } = renderRunDeletion(plan, () => steps.shift())
    typeConfirmation()
    press(/Delete my account/)
    await waitFor(() => assert.deepEqual(done, [finishedPlan]))
    const step = { confirm: 'ada@example.test', leaveStuck: false }
    assert.deepEqual(bodies(), [step, step])
  })

  test('an account deletion names a resource that cannot be removed, and skips it only when the user chooses to', async () => {
    const { done, bodies } = renderRunDeletion(stuckPlan)
    assert.match(screen.getByRole('alert').textContent ?? '', /plants-files \(Plants\): it is locked/)
    press('Leave them and finish')
    await untilSent()
    assert.deepEqual(bodies(), [], 'without the address')
    typeConfirmation()
    press('Leave them and finish')
    await waitFor(() => assert.deepEqual(done, [finishedPlan]))
    assert.deepEqual(bodies(), [{ confirm: 'ada@example.test', leaveStuck: true }])
  })

  test('a failed account deletion step shows the error, and the same button sends the step again', async () => {
    const { done, bodies } = renderRunDeletion({ ...plan, spent: 10 }, () =>
      bodies().length === 1 ? new Refusal(409, 'conflict', 'A build is under way.') : finishedPlan,
    )
    typeConfirmation()
    press('Continue')
    assert.ok(await screen.findByText('A build is under way.'))
    assert.deepEqual(done, [])
    typeConfirmation()
    press('Continue')
    await waitFor(() => assert.deepEqual(done, [finishedPlan]))
  })

  test('no further account deletion step is sent after the deletion page is closed', async () => {
    const { promise, resolve } = Promise.withResolvers<AccountDeletion>()
    const { done, bodies, unmount } = renderRunDeletion(plan, () => promise)
    typeConfirmation()
    press(/Delete my account/)
    await waitFor(() => assert.equal(bodies().length, 1))
    unmount()
    resolve({ ...plan, projectsLeft: 1 })
    // The client parses the response in a few microtasks. A second step would be sent right after that.
    await sleep(50)
    assert.equal(bodies().length, 1)
    assert.deepEqual(done, [])
  })
})
