import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { type Member, membersQuery } from '../../../api/organization/members.ts'
import {
  assertAlert,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { RemoveMember } from './remove-member.tsx'

const bob: Member = {
  id: 'mbr_1',
  userId: 'usr_1',
  role: 'admin',
  createdAt: '2026-01-01T00:00:00Z',
  user: { name: 'Bob', email: 'bob@example.test' },
}
const LIST_BELONGINGS = `GET /members/${bob.id}/belongings`
const DISPOSE_BELONGINGS = `POST /members/${bob.id}/belongings`
const REMOVE_MEMBER = 'POST /api/auth/organization/remove-member'
const LIST_MEMBERS = 'GET /api/auth/organization/list-members'
const bobsBelongings = {
  apiKeys: [{ id: 'key_1', name: 'Build machine', prefix: 'svk_ab' }],
  webhooks: [{ id: 'whk_1', url: 'https://example.com/hook' }],
  ingestSources: [],
}

/** Renders the dialog over a members list that refetches, as on the real page. */
function RemovalPage({ onClose }: { onClose: () => void }) {
  useQuery(membersQuery())
  return <RemoveMember member={bob} onClose={onClose} />
}

function renderRemoveMember(part: Record<string, () => unknown> = {}) {
  let isRemoved = false
  const closed: string[] = []
  const calls = serve({
    [LIST_BELONGINGS]: () => (isRemoved ? new Refusal(404, 'not_found', 'no member') : bobsBelongings),
    [DISPOSE_BELONGINGS]: () => null,
    [REMOVE_MEMBER]: () => {
      isRemoved = true
      return null
    },
    [LIST_MEMBERS]: () => ({ members: [] }),
    ...part,
  })
  show(<RemovalPage onClose={() => closed.push('closed')} />)
  return { calls, closed }
}

describe('the removal of a member', () => {
  test('a member cannot be removed before the list of their keys, webhooks and ingest sources is loaded', async () => {
    const { promise, resolve } = Promise.withResolvers<typeof bobsBelongings>()
    const { calls } = renderRemoveMember({ [LIST_BELONGINGS]: () => promise })
    press('Remove member')
    await untilSent()
    assert.equal(calls[DISPOSE_BELONGINGS]?.length, 0)
    resolve(bobsBelongings)
    assert.ok(await screen.findByText(/Build machine \(svk_ab/))
    assert.ok(isShown('example.com'))
  })

  test('removing a member removes or transfers their keys, webhooks and ingest sources as chosen, and refetches the list', async () => {
    const { calls, closed } = renderRemoveMember()
    await screen.findByText(/Build machine/)
    write('Their API keys', 'hand_over')
    assert.ok(isShown(/A handed-over key keeps working/))
    press('Remove member')
    await waitFor(() => assert.deepEqual(closed, ['closed']))
    const wanted = { apiKeys: 'hand_over', webhooks: 'hand_over', ingestSources: 'hand_over' }
    assert.deepEqual(
      calls[DISPOSE_BELONGINGS]?.map(({ body }) => body),
      [wanted],
    )
    await waitFor(() => assert.equal(calls[LIST_MEMBERS]?.length, 2))
  })

  test('after a member is removed, the open dialog does not refetch the keys, webhooks and ingest sources of that member', async () => {
    const { calls } = renderRemoveMember()
    await screen.findByText(/Build machine/)
    press('Remove member')
    await waitFor(() => assert.equal(calls[LIST_MEMBERS]?.length, 2))
    assert.equal(calls[LIST_BELONGINGS]?.length, 1)
    assert.ok(screen.queryByRole('alert') === null)
  })

  test('a refused removal of a member shows the reason and fetches their keys, webhooks and ingest sources again', async () => {
    const { calls, closed } = renderRemoveMember({
      [REMOVE_MEMBER]: () => new Refusal(403, 'forbidden', 'You may not.'),
    })
    await screen.findByText(/Build machine/)
    press('Remove member')
    await assertAlert(/forbidden/)
    await waitFor(() => assert.equal(calls[LIST_BELONGINGS]?.length, 2))
    assert.deepEqual(closed, [])
  })

  test('a member cannot be removed when their keys, webhooks and ingest sources could not be loaded', async () => {
    const { calls } = renderRemoveMember({
      [LIST_BELONGINGS]: () => new Refusal(403, 'forbidden', 'You may not.'),
    })
    await assertAlert(/forbidden/)
    press('Remove member')
    await untilSent()
    assert.equal(calls[DISPOSE_BELONGINGS]?.length, 0)
  })
})
