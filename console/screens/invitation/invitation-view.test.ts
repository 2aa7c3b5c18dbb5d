import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { describeInvitation, describeRefusal, closedInvitationNote } from './invitation-view.ts'

describe('the texts that describe an invitation', () => {
  test('an accepted, rejected, cancelled or expired invitation has a title that explains its status', () => {
    assert.equal(closedInvitationNote('pending'), null)
    const titles = (['accepted', 'rejected', 'cancelled', 'expired'] as const).map(
      (status) => closedInvitationNote(status)?.title,
    )
    assert.equal(new Set(titles).size, 4)
  })

  test('the text of an invitation names the inviter and the role, even an unknown role', () => {
    const offer = (role: string) =>
      describeInvitation({
        organization: { name: 'Acme' },
        inviter: { name: 'Ada' },
        role,
        status: 'pending',
      })
    assert.match(offer('admin'), /^Ada invites you as an admin: /)
    assert.equal(offer('auditor'), 'Ada invites you as auditor.')
  })

  test('the message that an invitation is for another account contains the e-mail address of neither account', () => {
    const code = 'you_are_not_the_recipient_of_the_invitation'
    const note = describeRefusal(new SlipwayError('…', { code, status: 403 }))
    assert.match(note?.title ?? '', /another account/)
    assert.doesNotMatch(JSON.stringify(note), /@/)
    assert.equal(describeRefusal(new SlipwayError('…', { code: 'server_error', status: 500 })), null)
  })
})
