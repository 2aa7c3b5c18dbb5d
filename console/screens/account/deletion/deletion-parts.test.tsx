import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onlineManager } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import type { AccountDeletion } from '@slipway/sdk/client/types.gen.ts'
import {
  assertAlert,
  button,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { DeletionParts } from './deletion-parts.tsx'

const STEP_CALL = 'POST /account/deletion/step'
const PLAN: AccountDeletion = {
  email: 'ada@example.test',
  organizations: [
    { id: 'o1', name: 'Own', disposition: 'delete', projectsLeft: 2, cloudConnected: true },
    { id: 'o2', name: 'Theirs', disposition: 'leave', projectsLeft: 0, cloudConnected: true },
  ],
  projectsLeft: 2,
  projects: [
    {
      id: 'p1',
      organizationId: 'o1',
      name: 'Plants',
      resources: [{ id: 'r1', kind: 'worker', name: 'plants' }],
    },
  ],
  spent: 0,
  cleared: 0,
  failed: [],
  left: [],
  deletion: null,
}
const STUCK_RESOURCES = [
  { id: 'r1', kind: 'worker', name: 'plants', projectId: 'p1', projectName: 'Plants', reason: 'it says no' },
]
const LEFT_BEHIND = [{ projectName: 'Plants', name: 'plants', detail: 'The worker stays.' }]
const FINISHED_PLAN: AccountDeletion = {
  ...PLAN,
  organizations: [],
  deletion: { finishedAt: '2026-06-01T12:00:00.000Z' },
}

async function renderDeletionParts(steps: unknown[] = [], plan: AccountDeletion = PLAN) {
  const calls = serve({ 'GET /account/deletion': () => plan, [STEP_CALL]: () => steps.shift() })
  show(<DeletionParts />)
  await screen.findByText('What happens to your organizations')
  return calls
}

describe('the page that deletes an account', () => {
  test('the account deletion page says which organizations are deleted or left, and lists the resources to remove', async () => {
    await renderDeletionParts()
    assert.ok(isShown(/only member. Its 2 projects go too/))
    assert.ok(isShown(/You leave it. Projects and tickets stay/))
    assert.match(document.body.textContent ?? '', /Plants: plants/)
  })

  test('the account deletion page sends nothing before the whole e-mail address is typed', async () => {
    const calls = await renderDeletionParts()
    press('Delete my account')
    write(/Type your e-mail/, 'ada@example')
    press('Delete my account')
    assert.equal(button('Delete my account').getAttribute('aria-disabled'), 'true')
    await untilSent()
    assert.deepEqual(calls[STEP_CALL], [])
  })

  test('an account deletion stops at a resource that cannot be removed, and the user can retry or finish without removing it', async () => {
    const halted = { ...PLAN, spent: 5, projectsLeft: 1, failed: STUCK_RESOURCES }
    const calls = await renderDeletionParts([
      { ...PLAN, spent: 3 },
      halted,
      halted,
      { ...FINISHED_PLAN, left: LEFT_BEHIND },
    ])
    write(/Type your e-mail/, PLAN.email)
    press('Delete my account')
    await assertAlert(/One resource could not be removed.*plants \(Plants\): it says no/)
    press('Try again')
    await waitFor(() => assert.equal(calls[STEP_CALL]?.length, 3))
    await assertAlert(/could not be removed/)
    press('Leave them and finish')
    assert.ok(await screen.findByText('Your account is deleted'))
    assert.ok(isShown('The worker stays.'))
    assert.equal(onlineManager.isOnline(), false, 'no query asks for a sign-in over the list')
    assert.deepEqual(
      calls[STEP_CALL]?.map(({ body }) => (body as { leaveStuck: boolean }).leaveStuck),
      [false, false, false, true],
    )
  })

  test('an account cannot be deleted while its organization has other members, and the button gives that reason', async () => {
    const blocked = {
      id: 'o3',
      name: 'Ours',
      disposition: 'blocked',
      projectsLeft: 0,
      cloudConnected: true,
    } as const
    const calls = await renderDeletionParts([], { ...PLAN, organizations: [blocked] })
    write(/Type your e-mail/, PLAN.email)
    press('Delete my account')
    assert.equal(
      button('Delete my account').getAttribute('aria-description'),
      'An organization is in the way.',
    )
    await untilSent()
    assert.deepEqual(calls[STEP_CALL], [])
  })

  test('the account deletion page shows the error of a failed step and keeps the button to delete the account', async () => {
    await renderDeletionParts([new Refusal(409, 'conflict', 'You own Ours, and others are in it.')])
    write(/Type your e-mail/, PLAN.email)
    press('Delete my account')
    await assertAlert(/You own Ours/)
    assert.ok(button('Delete my account'))
  })
})
