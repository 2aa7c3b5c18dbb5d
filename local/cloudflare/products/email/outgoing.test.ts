import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { displayName, mailAddress, OutgoingMail, rawSubject } from './outgoing.ts'

describe('the addresses of an outgoing mail', () => {
  test('an address is given as text, as text with a name before it, or as an object, and both parts are found', () => {
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

  test('one recipient or a list of recipients can be given', () => {
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

  test('words that stand for letters beyond ASCII are decoded', () => {
    for (const [header, subject] of [
      ['=?utf-8?Q?M=C3=BCllers_Caf=c3=a9?=', 'Müllers Café'],
      ['=?UTF-8?B?8J+OiSBQYXJ0eQ==?=', '🎉 Party'],
      ['=?iso-8859-1?q?caf=E9?= at noon', 'café at noon'],
      ['Re: =?utf-8?q?=C3=A4?= and =?utf-8?q?=C3=B6?=', 'Re: ä and ö'],
      // The space between two encoded words is only there to separate them.
      ['=?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n =?utf-8?q?_aus_K=C3=B6ln?=', 'Grüße aus Köln'],
      // RFC 2231 adds a language.
      ['=?utf-8*de?q?Stra=C3=9Fe?=', 'Straße'],
    ] as const)
      assert.equal(subjectOf(header), subject)
  })

  test('what only looks like an encoded word, or has an unknown encoding, is left as it is', () => {
    for (const header of [
      '=?klingon?q?nuqneH?=',
      '=?utf-8?x?abc?=',
      'a =? b ?=',
      '1 + 1 =?= 2',
      '100% =C3=BC',
    ])
      assert.equal(subjectOf(header), header)
  })

  test('an encoded line break does not make the subject two lines', () => {
    assert.equal(subjectOf('=?utf-8?q?one=0D=0ABcc:_two?='), 'one Bcc: two')
  })
})
