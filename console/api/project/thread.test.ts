import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PlanMessage } from '@slipway/sdk/client/types.gen.ts'
import { isAwaitingReply, type Thread, withLatestMessages, withOlderMessages } from './thread.ts'

const planMessage = (n: number, part: Partial<PlanMessage> = {}) =>
  ({
    id: `msg_${n}`,
    role: n % 2 === 1 ? 'user' : 'agent',
    text: `${n}`,
    status: 'complete',
    ...part,
  }) as PlanMessage
/** A page as the API returns it: newest first. */
const messagePage = (ns: number[], nextCursor: string | null = null) => ({
  items: ns.toReversed().map((n) => planMessage(n)),
  nextCursor,
  total: 10,
})
const shownNumbers = (thread: Thread) => thread.messages.map(({ text }) => Number(text))

describe('the chat with the AI planning agent', () => {
  test('a planning chat adds older pages above its newest page, and adding the same older page twice changes nothing', () => {
    const end = withLatestMessages(undefined, messagePage([5, 6], 'c5'))
    assert.deepEqual([shownNumbers(end), end.older], [[5, 6], 'c5'])
    const more = withOlderMessages(end, messagePage([3, 4], 'c3'), 'c5')
    assert.deepEqual([shownNumbers(more), more.older], [[3, 4, 5, 6], 'c3'])
    assert.equal(withOlderMessages(more, messagePage([3, 4], 'c3'), 'c5'), more)
  })

  test('a planning chat keeps its loaded older pages when its newest page is fetched again', () => {
    const known = withOlderMessages(
      withLatestMessages(undefined, messagePage([5, 6], 'c5')),
      messagePage([3, 4], 'c3'),
      'c5',
    )
    const again = withLatestMessages(known, messagePage([6, 7], 'c6'))
    assert.deepEqual([shownNumbers(again), again.older], [[3, 4, 5, 6, 7], 'c3'])
  })

  test('a planning chat is reset to its newest page when that page does not overlap the loaded messages', () => {
    const known = withLatestMessages(undefined, messagePage([1, 2], null))
    const again = withLatestMessages(known, messagePage([7, 8], 'c7'))
    assert.deepEqual([shownNumbers(again), again.older], [[7, 8], 'c7'])
  })

  test('a failed reply disappears from the planning chat while it is retried, and the chat waits for the new reply', () => {
    const known = withLatestMessages(undefined, messagePage([1, 2, 3, 4]))
    const without = withLatestMessages(known, messagePage([1, 2, 3]))
    assert.deepEqual(shownNumbers(without), [1, 2, 3])
    assert.ok(isAwaitingReply(without))
    const renewed = withLatestMessages(without, { ...messagePage([1, 2, 3, 4]), nextCursor: null })
    assert.deepEqual(shownNumbers(renewed), [1, 2, 3, 4])
    assert.ok(!isAwaitingReply(renewed))
  })

  test('an empty planning chat is not waiting for a reply', () => {
    assert.ok(!isAwaitingReply(undefined))
    assert.ok(!isAwaitingReply(withLatestMessages(undefined, messagePage([]))))
  })
})
