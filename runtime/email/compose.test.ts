import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import PostalMime from 'postal-mime'
import { htmlOf, mailFields } from './compose.ts'
import { newMailId, validateMail } from './message.ts'

const about = {
  id: 'mail_1',
  kind: 'app' as const,
  from: 'shop@app.test',
  appName: 'Plant Shop',
  replyTo: null,
}
const outgoingMail = (more: object = {}) =>
  validateMail({ to: 'ada@example.test', subject: 'Hello', text: 'A text', ...more })

describe('a text as a page', () => {
  test('the text of a mail is escaped in its HTML part', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom('<b>', '"', '&amp;', 'https://x.test/"><script>')),
        (text) => {
          const page = htmlOf(text)
          const bare = page.replaceAll(
            /<\/?(?:html|body|p|br)>|<!doctype html>|<a href="[^"<>]*">|<\/a>/g,
            '',
          )
          assert.doesNotMatch(bare, /[<>]/)
        },
      ),
    )
  })

  test('the HTML part of a mail reads the same as its text', async () => {
    const text = 'Welcome & hello <Ada>,\n\nopen https://app.test/?a=1&b=2 now.\nBye'
    const raw = `Content-Type: text/html; charset=utf-8\r\n\r\n${htmlOf(text)}`
    const { html = '' } = await PostalMime.parse(raw)
    assert.match(html, /<p>Welcome &amp; hello &lt;Ada&gt;,<\/p>/)
    assert.match(
      html,
      /<a href="https:\/\/app\.test\/\?a=1&amp;b=2">https:\/\/app\.test\/\?a=1&amp;b=2<\/a> now\.<br>Bye/,
    )
  })
})

describe('the fields of a mail', () => {
  test("a mail that the app sends is not changed, and a sign-in mail ends with the app's name and has a text and an HTML part", () => {
    const own = mailFields(outgoingMail(), about)
    assert.deepEqual([own.text, own.html], ['A text', undefined])
    const message = mailFields(outgoingMail({ html: '<p>ignored</p>' }), { ...about, kind: 'auth' })
    assert.equal(message.text, 'A text\n\nPlant Shop')
    assert.match(message.html ?? '', /<p>A text<\/p><p>Plant Shop<\/p>/)
    assert.equal(mailFields(outgoingMail(), { ...about, kind: 'auth', appName: '' }).text, 'A text')
  })

  test("an app's name cannot inject a header or an address into a mail", () => {
    const nameOf = (appName: string) => mailFields(outgoingMail(), { ...about, appName }).from.name
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('\r\n', '\0', '"', '<', '\u0085'))),
        (parts) => {
          assert.doesNotMatch(nameOf(`x${parts.join('')}`), /[\p{Cc}<>"@,;:\\]/u)
        },
      ),
    )
    assert.equal(nameOf('Shop\r\nBcc: eve@evil.test'), 'Shop  Bcc  eve evil.test')
    assert.equal(nameOf(' <> '), 'shop@app.test')
  })

  test("replies go to the mail's own reply address, otherwise to the address in the settings, otherwise to the sender", () => {
    const replyTo = (own: object, settings: string | null) =>
      mailFields(outgoingMail(own), { ...about, replyTo: settings }).replyTo
    assert.equal(replyTo({ replyTo: 'Help@app.test' }, 'desk@app.test'), 'help@app.test')
    assert.equal(replyTo({}, 'desk@app.test'), 'desk@app.test')
    assert.equal(replyTo({}, null), undefined)
  })

  test('a mail has a header that marks it as auto-generated, and a header with its unique id', () => {
    const { headers } = mailFields(outgoingMail(), about)
    assert.deepEqual(headers, { 'Auto-Submitted': 'auto-generated', 'X-Slipway-Mail': 'mail_1' })
    const ids = Array.from({ length: 50 }, newMailId)
    assert.ok(ids.every((id) => /^mail_[a-f0-9]{32}$/.test(id)))
    assert.equal(new Set(ids).size, ids.length)
  })

  test('attachments of a mail are sent byte for byte, and a mail without files has no attachments field', () => {
    const content = Uint8Array.from([0, 255, 13, 10])
    const { attachments } = mailFields(
      outgoingMail({ attachments: [{ name: 'a.bin', type: 'application/octet-stream', content }] }),
      about,
    )
    const [file] = attachments ?? []
    assert.deepEqual(
      [file?.filename, file?.disposition, new Uint8Array(file?.content ?? new ArrayBuffer(0))],
      ['a.bin', 'attachment', content],
    )
    assert.equal('attachments' in mailFields(outgoingMail(), about), false)
  })
})
