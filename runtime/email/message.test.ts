import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiError } from '../kernel/errors.ts'
import { validateMail } from './message.ts'

const LETTER = { to: 'ada@example.test', subject: 'Hello', text: 'There.' }
const fieldOf = (given: object): string | undefined => {
  try {
    validateMail({ ...LETTER, ...given })
    return undefined
  } catch (error) {
    return (error as ApiError).field
  }
}
const attachmentOf = (bytes: number) => ({ name: 'a.bin', type: 'a/b', content: new Uint8Array(bytes) })

test('recipient addresses that differ only in case count once', () => {
  const { to } = validateMail({ ...LETTER, to: ['Ada@Example.test', 'ada@example.test', 'bob@example.test'] })
  assert.deepEqual(to, ['ada@example.test', 'bob@example.test'])
})

test('the text and attachments of a mail together are limited to exactly 5 MiB', () => {
  const room = 5 * 1024 * 1024 - LETTER.text.length
  assert.equal(fieldOf({ attachments: [attachmentOf(room)] }), undefined)
  assert.equal(fieldOf({ attachments: [attachmentOf(room), attachmentOf(1)] }), 'attachments')
})

test("line breaks and separators in a mail's address, subject or file name are rejected", () => {
  for (const end of ['\r\n', '\n', '\r', '\0', '\u0085']) {
    assert.equal(fieldOf({ subject: `Hello${end}Bcc: all@example.test` }), 'subject')
    assert.equal(fieldOf({ to: `ada@example.test${end}` }), 'to')
    assert.equal(fieldOf({ replyTo: `${end}ada@example.test` }), 'replyTo')
    assert.equal(fieldOf({ attachments: [{ ...attachmentOf(1), name: `a${end}b` }] }), 'attachments')
    assert.equal(fieldOf({ attachments: [{ ...attachmentOf(1), type: `a/b${end}` }] }), 'attachments')
  }
  for (const to of ['a@b.test,c@d.test', '<a@b.test>', '"a"@b.test', 'a@b', '@b.test', 'a b@c.test'])
    assert.equal(fieldOf({ to }), 'to', to)
})

test('a mail is rejected without a recipient or subject, with 51 recipients, or with a body that is not text', () => {
  assert.equal(fieldOf({ to: [] }), 'to')
  assert.equal(fieldOf({ to: Array.from({ length: 51 }, (_, i) => `p${i}@example.test`) }), 'to')
  assert.equal(fieldOf({ subject: ' ' }), 'subject')
  assert.equal(fieldOf({ text: undefined }), 'text')
  assert.equal(fieldOf({ html: 7 }), 'html')
  for (const attachments of ['none', [null], ['a.txt']]) assert.equal(fieldOf({ attachments }), 'attachments')
  for (const given of [null, undefined, 'Hello', []])
    assert.throws(() => validateMail(given), { field: 'to' })
  assert.equal(fieldOf({ attachments: [{ ...attachmentOf(1), content: 7 }] }), 'attachments')
})
