import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { importObjects, NOW, type ObjectModules, ObjectWorld } from '../data/objects.test.fixture.ts'
import type { CollectionSpec, Manifest } from '../kernel/manifest.ts'
import type { NewMail } from './calls.ts'
import type { MailboxSettings } from './settings.ts'
import type { MailEvent } from './types.ts'

const collectionOf = (fields: CollectionSpec['fields']): CollectionSpec => ({
  title: 'Mails',
  partition: 'app',
  read: 'staff',
  write: 'nobody',
  fields,
})
const FIELDS: CollectionSpec['fields'] = {
  mailbox: { type: 'text' },
  from: { type: 'text' },
  to: { type: 'list' },
  subject: { type: 'text' },
  text: { type: 'text' },
  html: { type: 'text', max: 100_000 },
  messageId: { type: 'text' },
  receivedAt: { type: 'text' },
  attachments: { type: 'json' },
}
const MANIFEST: Manifest = {
  name: 'Shop',
  migrations: [],
  collections: {
    mails: collectionOf(FIELDS),
    narrow: collectionOf({
      from: { type: 'text', max: 5 },
      to: { type: 'list', max: 2 },
      subject: { type: 'text', max: 4 },
      text: { type: 'text', max: 3 },
      html: { type: 'text', max: 2 },
      messageId: { type: 'text', max: 1 },
      attachments: { type: 'text', max: 10 },
    }),
    strict: collectionOf({ customer: { type: 'text', required: true } }),
  },
  mailboxes: [
    { collection: 'mails', handler: 'on-mail' },
    { collection: 'narrow' },
    { collection: 'strict' },
  ],
}
const HASH = 'release-1'
const APP = 'data:app'
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]
const MAILBOX: MailboxSettings = {
  localPart: 'hello',
  address: 'Hello@shop.test',
  collection: 'mails',
  notify: true,
}
const MAIL: NewMail = {
  from: 'ada@example.test',
  to: ['hello@shop.test'],
  subject: 'An order',
  text: 'Two pears, please.',
  html: '<p>Two pears, please.</p>',
  messageId: '<1@example.test>',
  isAutomatic: false,
  attachments: [],
}

describe('the mail that an app receives', () => {
  let modules: ObjectModules
  let world: ObjectWorld
  let events: { job: string; event: MailEvent; info: unknown }[]
  let logged: { message: string; route: string }[]
  let answer: () => Promise<{ ok: boolean; error?: string }>
  before(async () => {
    modules = await importObjects()
  })
  beforeEach(async () => {
    ObjectWorld.install()
    logged = []
    mock.method(console, 'error', (line: string) => {
      const { message, route } = JSON.parse(line) as { message: string; route: string }
      logged.push({ message, route })
    })
    events = []
    answer = async () => ({ ok: true })
    world = await start()
  })
  after(() => ObjectWorld.uninstall())

  const start = async (env: Record<string, unknown> = {}) => {
    const mail = (job: string, event: MailEvent, info: unknown) => {
      events.push({ job, event, info })
      return answer()
    }
    const variables = {
      EMAIL_MAX_PER_HOUR: '50',
      EMAIL_NOTIFY_TO: 'owner@example.test',
      EMAIL_MAILBOXES: JSON.stringify([MAILBOX]),
    }
    const made = new ObjectWorld(modules, { APP: { mail }, ...variables, ...env })
    await made.release(HASH, MANIFEST)
    return made
  }
  const ask = (mail: Partial<NewMail> = {}, mailbox: Partial<MailboxSettings> = {}, hash = HASH) =>
    world.run(
      world
        .stub(APP)
        .inbox('take', { hash, mailbox: { ...MAILBOX, ...mailbox }, mail: { ...MAIL, ...mail } }),
    )
  const take = async (...given: Parameters<typeof ask>) => {
    const answered = await ask(...given)
    return answered.ok ? answered.value : assert.fail(answered.error.message)
  }
  const seen = async (messageId: string, mailbox = MAILBOX.address) =>
    await world.run(world.stub(APP).inbox('seen', { mailbox, messageId }))
  /** Returns the fields of a mail's record. */
  const record = async (id: string, collection = 'mails') => {
    const [row] = await world.run(world.stub(APP).readRows(collection, [id]))
    if (row === undefined) return null
    const {
      id: _id,
      rev: _rev,
      ownerId: _ownerId,
      createdAt: _createdAt,
      updatedAt: _updatedAt,
      ...fields
    } = JSON.parse(row.json)
    return fields
  }
  /** Returns the notices in the outbox of the app, oldest first. */
  const notices = async (at = world) => {
    const dumped = await at.run(at.stub('dir').mail('dump', { after: 0 }))
    assert.ok(dumped.ok)
    return dumped.value.map(({ kind, mail: { to, subject, text } }) => ({ kind, to, subject, text }))
  }
  const inboxAt = (at = world) =>
    Number(at.rowsOf(APP, "select at from _alarms where kind = 'inbox'")[0]?.['at'])
  /** Lets time pass until the alarm of the inbox, and runs it. The object has other alarms, too. */
  const wake = async (at = world) => {
    const due = inboxAt(at)
    do await at.alarm(APP)
    while (Date.now() < due)
    await at.pass()
  }
  const alarm = async (at = world) => {
    await wake(at)
    await at.settle()
  }

  test('a received mail becomes a record, starts its handler, and is announced to the operator', async () => {
    const { id, isNew } = await take()
    assert.equal(isNew, true)
    const receivedAt = (await record(id))?.receivedAt
    assert.ok(Math.abs(Date.parse(receivedAt) - NOW) < 1000, receivedAt)
    const { isAutomatic: _isAutomatic, ...facts } = MAIL
    assert.deepEqual(await record(id), { ...facts, mailbox: 'Hello@shop.test', receivedAt })
    await alarm()
    const event = { ...MAIL, id, mailbox: 'Hello@shop.test', receivedAt }
    assert.deepEqual(events, [
      { job: 'on-mail', event, info: { id, attempt: 1, scheduledAt: receivedAt, userId: null } },
    ])
    assert.deepEqual(await notices(), [
      {
        kind: 'notice',
        to: ['owner@example.test'],
        subject: 'New mail to Hello@shop.test: An order',
        text: 'ada@example.test has written to Hello@shop.test:\n\nAn order\n\nTwo pears, please.',
      },
    ])
  })

  test('a mail that is delivered again within 30 days is stored once, and its handler runs once', async () => {
    const first = await take()
    await alarm()
    mock.timers.setTime(NOW + 30 * DAY_MS - MINUTE_MS)
    assert.deepEqual(await take({ subject: 'Again' }), { id: first.id, isNew: false })
    assert.deepEqual(await seen(MAIL.messageId), { ok: true, value: true })
    mock.timers.setTime(NOW + 30 * DAY_MS + MINUTE_MS)
    assert.deepEqual(await seen(MAIL.messageId), { ok: true, value: false })
    const second = await take({ subject: 'Again' })
    assert.equal(second.isNew, true)
    assert.notEqual(second.id, first.id)
    await alarm()
    assert.equal(events.length, 2)
  })

  test('a mail to two mailboxes of the app becomes two records', async () => {
    const [one, other] = [await take(), await take({}, { address: 'other@shop.test' })]
    assert.deepEqual([one.isNew, other.isNew, one.id === other.id], [true, true, false])
  })

  test('two deliveries of one mail at the same moment store it once', async () => {
    const both = await Promise.all([take(), take()])
    assert.deepEqual(both.map(({ isNew }) => isNew).toSorted(), [false, true])
    assert.equal(both[0].id, both[1].id)
  })

  test('a mail that cannot be stored as a record starts no handler, sends no notice and can be delivered again', async () => {
    const refusals = [
      [
        { collection: 'strict' },
        HASH,
        { code: 'invalid_request', message: 'customer: is required', field: 'customer' },
      ],
      [
        { collection: 'constructor' },
        HASH,
        { code: 'not_found', message: 'No such collection: constructor.' },
      ],
      [{}, 'release-9', { code: 'unavailable', message: 'The release is not known here.' }],
    ] as const
    for (const [mailbox, hash, error] of refusals)
      assert.deepEqual(await ask({}, mailbox, hash), { ok: false, error })
    assert.deepEqual(world.rowsOf(APP, "select name from sqlite_master where name like '_mail%'"), [])
    assert.deepEqual(await seen(MAIL.messageId), { ok: true, value: false })
    assert.equal((await take()).isNew, true)
  })

  test('a mail that is longer than its fields is cut to them, and HTML that would have to be cut is left out', async () => {
    const { id } = await take(
      {
        to: ['a@x.test', 'b@x.test', 'c@x.test'],
        attachments: [{ name: 'a long name.pdf', type: 'application/pdf', size: 1 }],
      },
      { collection: 'narrow' },
    )
    assert.deepEqual(await record(id, 'narrow'), {
      from: 'ada@e',
      to: ['a@x.test', 'b@x.test'],
      subject: 'An o',
      text: 'Two',
      html: null,
      messageId: '<',
      attachments: null,
    })
  })
})
