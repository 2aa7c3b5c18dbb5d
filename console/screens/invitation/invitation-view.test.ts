import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { describeOffer, describeRefusal, describeSpent } from './invitation-view.ts'

describe('what an invitation’s page says', () => {
  test('one that waits is an offer, every other says what became of it', () => {
    assert.equal(describeSpent('pending'), null)
    const titles = (['accepted', 'rejected', 'cancelled', 'expired'] as const).map(
      (status) => describeSpent(status)?.title,
    )
    assert.equal(new Set(titles).size, 4)
  })

  test('the offer names who invites and what the role may do, also a role of later', () => {
    const offer = (role: string) =>
      describeOffer({ organization: { name: 'Acme' }, inviter: { name: 'Ada' }, role, status: 'pending' })
    assert.match(offer('admin'), /^Ada invites you as an admin: /)
    assert.equal(offer('auditor'), 'Ada invites you as auditor.')
  })

  test('somebody else’s invitation is told without either address', () => {
    const code = 'you_are_not_the_recipient_of_the_invitation'
    const note = describeRefusal(new SlipwayError('…', { code, status: 403 }))
    assert.match(note?.title ?? '', /another account/)
    assert.doesNotMatch(JSON.stringify(note), /@/)
    assert.equal(describeRefusal(new SlipwayError('…', { code: 'server_error', status: 500 })), null)
  })
})
