import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { displayName, mailAddress, OutgoingMail, rawSubject } from './outgoing.ts'

describe('the addresses of an outgoing mail', () => {
  test('a mail address, given as a string with or without a name or as an object, is split into address and name', () => {
    for (const [given, address, name] of [
      ['ada@example.test', 'ada@example.test', ''],
      ['  ada@example.test ', 'ada@example.test', ''],
      ['<ada@example.test>', 'ada@example.test', ''],
      ['Ada Lovelace <ada@example.test>', 'ada@example.test', 'Ada Lovelace'],
      ['"Lovelace, Ada" <ada@example.test> ', 'ada@example.test', 'Lovelace, Ada'],
      ['Zoë <zoe@example.test>', 'zoe@example.test', 'Zoë'],
      [{ email: ' ada@example.test', name: 'Ada' }, 'ada@example.test', 'Ada'],
      [{ email: 'ada@example.test' }, 'ada@example.test', ''],
    ] as const)
      assert.deepEqual([mailAddress(given), displayName(given)], [address, name], JSON.stringify(given))
  })

  test('an outgoing mail needs an address for each recipient, and is refused with a subject of 999 characters', () => {
    const mail = { from: 'a@b.test', subject: '', text: null }
    assert.deepEqual(OutgoingMail.parse({ ...mail, to: 'c@d.test' }).to, ['c@d.test'])
    assert.deepEqual(OutgoingMail.parse({ ...mail, to: ['c@d.test', { email: 'e@f.test' }] }).to, [
      'c@d.test',
      { email: 'e@f.test' },
    ])
    assert.equal(OutgoingMail.safeParse({ ...mail, to: { name: 'Ada' } }).success, false)
    assert.equal(OutgoingMail.safeParse({ ...mail, to: 'c@d.test', subject: 'a'.repeat(999) }).success, false)
  })
})

describe('the subject of a raw mail', () => {
  const subjectOf = (header: string) => rawSubject(`From: a@b.test\r\nSubject: ${header}\r\n\r\ntext`)

  test('encoded words (RFC 2047) in the subject of a raw mail are decoded', () => {
    for (const [header, subject] of [
      ['=?utf-8?Q?M=C3=BCllers_Caf=c3=a9?=', 'Müllers Café'],
      ['=?UTF-8?B?8J+OiSBQYXJ0eQ==?=', '🎉 Party'],
      ['=?iso-8859-1?q?caf=E9?= at noon', 'café at noon'],
      ['Re: =?utf-8?q?=C3=A4?= and =?utf-8?q?=C3=B6?=', 'Re: ä and ö'],
      // Spaces between two encoded words are not part of the text (RFC 2047 6.2).
      ['=?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n =?utf-8?q?_aus_K=C3=B6ln?=', 'Grüße aus Köln'],
      // RFC 2231 adds a language.
      ['=?utf-8*de?q?Stra=C3=9Fe?=', 'Straße'],
    ] as const)
      assert.equal(subjectOf(header), subject)
  })

  test('a mail subject with malformed encoded words or an unknown encoding is not changed', () => {
    for (const header of [
      '=?klingon?q?nuqneH?=',
      '=?utf-8?x?abc?=',
      'a =? b ?=',
      '1 + 1 =?= 2',
      '100% =C3=BC',
    ])
      assert.equal(subjectOf(header), header)
  })

  test('an encoded line break in a mail subject becomes a space', () => {
    assert.equal(subjectOf('=?utf-8?q?one=0D=0ABcc:_two?='), 'one Bcc: two')
  })
})
