import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlEntities } from './entities.ts'
import { parseMail } from './parse.ts'

// The package does not export this file, so import it by its path.
const { htmlEntities: every } = (await import(
  new URL('html-entities.js', import.meta.resolve('postal-mime')).href
)) as { htmlEntities: Record<string, string> }

const parseLines = (lines: string[]) =>
  parseMail(new TextEncoder().encode(lines.join('\r\n')), 'ada@example.test')
const parseHtmlMail = (html: string) =>
  parseLines(['Subject: Hi', 'Content-Type: text/html; charset=utf-8', '', html])

test('a received mail with only an HTML part gets a text in which HTML entities are decoded', async () => {
  const { text, html } = await parseHtmlMail(
    '<head><style>p { color: red }</style></head><p>Hello M&uuml;ller &amp; S&#246;hne,</p><p>one<br>two</p><script>x()</script>',
  )
  assert.equal(text, 'Hello Müller & Söhne,\n\none\ntwo')
  assert.match(html ?? '', /M&uuml;ller/)
})

test('the text part of a received mail is kept unchanged, independent of the HTML part', async () => {
  const { text } = await parseLines([
    'Content-Type: multipart/alternative; boundary=x',
    '\r\n--x\r\n\r\nUse &amp; for and.',
    '--x\r\nContent-Type: text/html\r\n\r\n<p>Other</p>\r\n--x--',
  ])
  assert.equal(text.trim(), 'Use &amp; for and.')
})

test('lines in the HTML part of a received mail that look like the end of the mail do not end the mail', async () => {
  const { text } = await parseHtmlMail('<p>one</p>\r\n--x--\r\n--\r\n<p>two</p>')
  assert.match(text, /^one[^]*two$/)
})

test('the text and the HTML of a received mail are kept without NUL characters, which no record may contain', async () => {
  const mail = (type: string) =>
    parseLines([`Content-Type: ${type}`, 'Content-Transfer-Encoding: quoted-printable', '', 'Two=00 pears'])
  const [plain, page] = [await mail('text/plain'), await mail('text/html')]
  assert.deepEqual([plain.text.trim(), plain.html], ['Two pears', null])
  assert.deepEqual([page.text, page.html?.trim()], ['Two pears', 'Two pears'])
  assert.equal((await parseHtmlMail('<p>Two&#0; pears</p>')).text, 'Two pears')
})

test('the name of an attachment is shortened to the 200 bytes allowed for a stored file, and keeps its ending and whole characters', async () => {
  const nameOf = async (name: string) => {
    const encoded = `=?utf-8?B?${Buffer.from(name).toString('base64')}?=`
    const { files } = await parseLines([
      'Content-Type: multipart/mixed; boundary=x',
      `\r\n--x\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename="${encoded}"\r\n\r\npdf`,
      '--x--',
    ])
    return files[0]?.name
  }
  for (const [name, kept] of [
    [`${'a'.repeat(196)}.pdf`, `${'a'.repeat(196)}.pdf`],
    [`${'a'.repeat(197)}.pdf`, `${'a'.repeat(196)}.pdf`],
    [`${'年'.repeat(100)}.pdf`, `${'年'.repeat(65)}.pdf`],
    [`${'a'.repeat(195)}😀.pdf`, `${'a'.repeat(195)}.pdf`],
    ['😀'.repeat(60), '😀'.repeat(50)],
    [`a.${'b'.repeat(300)}`, `a.${'b'.repeat(198)}`],
    ['../etc/passwd', '.._etc_passwd'],
    ['', 'attachment'],
  ] as const)
    assert.equal(await nameOf(name), kept)
})

test("the table of HTML entities equals the mail parser's table, except for mathematical and drawing characters", () => {
  for (const [name, character] of Object.entries(htmlEntities)) assert.equal(character, every[name], name)
  const left = Object.entries(every).filter(([name]) => !(name in htmlEntities))
  for (const [name, character] of left)
    assert.ok((character.codePointAt(0) ?? 0) > 0x2070 || character.length > 1, name)
})
