import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { MailStore } from './store.ts'
import type { OutgoingMail } from './types.ts'

const NOW = new Date('2026-11-20T10:00:00Z')
const inDays = (days: number) => new Date(NOW.getTime() + days * 86_400_000)
const mailTo = (to: string) => ({ to, subject: 'A code', text: 'It is 123456.' })
const outgoingTo = (to: string[], more: Partial<OutgoingMail> = {}): OutgoingMail => ({
  to,
  subject: 'News',
  text: 'Hello.',
  html: null,
  replyTo: null,
  attachments: [],
  ...more,
})
const newMail = (id: string, mail: OutgoingMail) => ({
  id,
  kind: 'app' as const,
  mail,
  reservation: null,
  goodUntilMs: inDays(7).getTime(),
})

test('when mail is off, the newest 200 messages are stored for a week instead of being sent', () => {
  const store = new MailStore(memoryStorage())
  for (let n = 0; n < 205; n++) store.keep(mailTo(`p${n}@example.test`), NOW)
  const kept = store.unsent(1000, NOW)
  assert.deepEqual([kept.length, kept[0]?.to, kept.at(-1)?.to], [200, 'p204@example.test', 'p5@example.test'])
  assert.equal(store.unsent(3, NOW).length, 3)
  assert.equal(store.unsent(1000, inDays(6.9)).length, 200)
  assert.equal(store.unsent(1000, inDays(7.1)).length, 0)
  store.keep(mailTo('late@example.test'), inDays(8))
  assert.equal(store.unsent(1000, NOW).length, 1)
})

test('messages stored by an earlier version while mail was off can be read, and are never sent', () => {
  const storage = memoryStorage()
  storage.sql.exec(`create table outbox (id integer primary key autoincrement, recipient text not null,
    subject text not null, body text not null, created_at text not null)`)
  storage.sql.exec(
    'insert into outbox (recipient, subject, body, created_at) values (?, ?, ?, ?)',
    'ada@example.test',
    'A code',
    'It is 1.',
    NOW.toISOString(),
  )
  const [kept] = new MailStore(storage).unsent(10, NOW)
  assert.deepEqual([kept?.to, kept?.subject, kept?.text], ['ada@example.test', 'A code', 'It is 1.'])
  assert.equal(new MailStore(storage).nextAt(), null)
})

test('erasing a person removes their mails, and from a mail to several people only their address', () => {
  const store = new MailStore(memoryStorage())
  for (const to of ['ada@example.test', 'bob@example.test', 'ada@example.test']) store.keep(mailTo(to), NOW)
  store.add(newMail('both', outgoingTo(['ada@example.test', 'bob@example.test'])), NOW)
  assert.equal(store.count('ada@example.test'), 3)
  store.forget('ada@example.test')
  assert.equal(store.count('ada@example.test'), 0)
  assert.deepEqual(
    store.list(10, NOW).map(({ to }) => to),
    [['bob@example.test'], ['bob@example.test']],
  )
})

test('queueing a sign-in message for an unknown address adds no row and removes no earlier message', () => {
  const store = new MailStore(memoryStorage())
  for (let n = 0; n < 200; n++) store.keep(mailTo(`p${n}@example.test`), NOW)
  store.keep(null, NOW)
  store.queue(null, 'none', NOW.getTime(), NOW)
  assert.equal(store.unsent(1000, NOW).at(-1)?.to, 'p0@example.test')
  assert.equal(store.list(1000, NOW).length, 200)
})

test('mail attachments of several megabytes are stored byte for byte, and deleted once the mail is sent', () => {
  const store = new MailStore(memoryStorage())
  const bytes = new Uint8Array(2_500_000).map((_, i) => i % 251)
  const files = [
    { name: 'a.bin', type: 'application/octet-stream', bytes },
    { name: 'empty.txt', type: 'text/plain', bytes: new Uint8Array() },
  ]
  store.add(
    newMail('one', outgoingTo(['ada@example.test'], { html: '<p>Hello.</p>', attachments: files })),
    NOW,
  )
  const [due] = store.due(NOW.getTime(), 1)
  assert.ok(due)
  const content = store.content(due.n)
  assert.deepEqual(
    content?.attachments.map((file) => ({
      ...file,
      bytes: Buffer.from(file.bytes).equals(Buffer.from(bytes)),
    })),
    [
      { name: 'a.bin', type: 'application/octet-stream', bytes: true },
      { name: 'empty.txt', type: 'text/plain', bytes: false },
    ],
  )
  store.begin(due, 'reserved', NOW.getTime())
  store.end(due.n, 'sent', { error: null, now: NOW })
  const left = store.content(due.n)
  assert.deepEqual([left?.text, left?.html, left?.attachments], ['', null, []])
})

test('moving an app to another cloud account copies its unsent mails once with their files, and no sent mails', () => {
  const [from, to] = [new MailStore(memoryStorage()), new MailStore(memoryStorage())]
  from.add(newMail('sent', outgoingTo(['ada@example.test'])), NOW)
  const [due] = from.due(NOW.getTime(), 1)
  from.end(due?.n ?? 0, 'sent', { error: null, now: NOW })
  assert.deepEqual(from.dump(0), [])
  const files = [
    { name: 'a.bin', type: 'application/octet-stream', bytes: new Uint8Array(2_500_000).fill(7) },
    { name: 'empty.txt', type: 'text/plain', bytes: new Uint8Array() },
  ]
  from.add(
    newMail(
      'waits',
      outgoingTo(['bob@example.test'], { html: '<p>', replyTo: 'cy@example.test', attachments: files }),
    ),
    NOW,
  )
  from.keep(mailTo('dan@example.test'), inDays(1))
  const dump = from.dump(0)
  for (let times = 0; times < 2; times++) to.restore(dump)
  assert.deepEqual(
    to.due(NOW.getTime(), 10).map(({ id }) => id),
    ['waits'],
  )
  assert.deepEqual(
    to.dump(0),
    dump.map((mail, index) => ({ ...mail, n: index + 1 })),
  )
  assert.deepEqual(to.dump(0)[0]?.mail.attachments, files)
})

test('the list of mails contains no bodies, and no subjects of sign-in mails, which contain the code', () => {
  const store = new MailStore(memoryStorage())
  store.queue({ to: 'ada@example.test', subject: 'Your code: 123456', text: '123456' }, 'a code', 0, NOW)
  store.add(newMail('news', outgoingTo(['bob@example.test'])), NOW)
  store.end(2, 'sent', { error: null, now: NOW })
  const listed = store.list(10, NOW)
  assert.deepEqual(
    listed.map(({ kind, to, subject, state }) => [kind, to, subject, state]),
    [
      ['app', ['bob@example.test'], 'News', 'sent'],
      ['auth', ['ada@example.test'], null, 'waiting'],
    ],
  )
  assert.ok(!JSON.stringify(listed).includes('123456'))
})

test('a move to another cloud account copies mails in pages, each of which ends with the mail that makes it exceed one mebibyte', () => {
  const store = new MailStore(memoryStorage())
  const bytes = new Uint8Array(5_000_000)
  const large = outgoingTo(['ada@example.test'], { attachments: [{ name: 'a', type: 'a/b', bytes }] })
  const long = outgoingTo(['ada@example.test'], { html: 'x'.repeat(1_000_000), text: 'x'.repeat(100_000) })
  for (const [id, mail] of Object.entries({
    first: outgoingTo(['a@b.test']),
    large,
    second: large,
    long,
    last: long,
  }))
    store.add(newMail(id, mail), NOW)
  const pages: string[][] = []
  for (let after = 0; ;) {
    const page = store.dump(after)
    if (page.length === 0) break
    pages.push(page.map(({ id }) => id))
    after = page.at(-1)?.n ?? 0
  }
  assert.deepEqual(pages, [['first', 'large'], ['second'], ['long'], ['last']])
})
