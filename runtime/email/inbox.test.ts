import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import {
  importObjects,
  NOW,
  type ObjectModules,
  ObjectWorld,
  recordErrors,
} from '../data/partition/objects.test.fixture.ts'
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
    wide: collectionOf({ ...FIELDS, text: { type: 'text', max: 100_000 } }),
    strict: collectionOf({ customer: { type: 'text', required: true } }),
    needy: collectionOf({
      from: { type: 'text', required: true },
      subject: { type: 'text', required: true, max: 4 },
      text: { type: 'text', required: true },
      to: { type: 'list', required: true },
    }),
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
    logged = recordErrors()
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
  /** Lets time pass until the inbox alarm has run. The object also has other alarms, which may run before. */
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
    const receivedAt = String((await record(id))?.receivedAt)
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

  test('a mail without a sender, a subject or a text is stored even in a collection that requires these fields', async () => {
    const blank = { from: '', subject: '', text: ' \n', html: null, to: [] }
    const { id } = await take(blank, { collection: 'needy' })
    assert.deepEqual(await record(id, 'needy'), { from: '(empty)', subject: '(emp', text: '(empty)', to: [] })
  })

  test('a received mail that is delivered again within 30 days is stored once, and its handler runs once', async () => {
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

  test('a received mail to two mailboxes of the app becomes two records', async () => {
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

  test('texts of a mail that exceed their fields are cut, and HTML that exceeds its field is left out', async () => {
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

  test('a mail that is too large for a record is stored without its HTML, and then with the beginning of its text', async () => {
    const wide = { collection: 'wide' }
    const { id } = await take({ html: 'x'.repeat(100_000), text: 'y'.repeat(40_000) }, wide)
    const stored = await record(id, 'wide')
    assert.deepEqual([stored?.html, stored?.text], [null, 'y'.repeat(40_000)])
    const file = { name: 'n'.repeat(200), type: 'text/plain', size: 1 }
    const attachments = Array.from({ length: 150 }, () => file)
    const { id: other } = await take({ messageId: '<2>', text: 'y'.repeat(100_000), attachments }, wide)
    const { html, text } = (await record(other, 'wide')) ?? {}
    assert.deepEqual([html, text], [null, 'y'.repeat(2000)])
    const tooMany = Array.from({ length: 600 }, () => file)
    const error = { code: 'invalid_request', message: 'wide: a record holds at most 128 kB.' }
    assert.deepEqual(await ask({ messageId: '<3>', attachments: tooMany }, wide), { ok: false, error })
  })

  test('the handler of a mail with long HTML gets the mail without the HTML', async () => {
    for (const [n, chars] of [20_000, 20_001].entries())
      await take({ messageId: `<${n}>`, html: 'x'.repeat(chars) })
    await alarm()
    assert.deepEqual(events.map(({ event: { html } }) => html?.length ?? null).toSorted(), [20_000, null])
  })

  test('no notice is sent for an automatic mail, a mailbox without notices, or a notice address that belongs to the app', async () => {
    await take({ isAutomatic: true })
    await take({ messageId: '<2>' }, { notify: false })
    await alarm()
    assert.deepEqual([events.length, await notices()], [2, []])
    for (const address of ['HELLO@shop.test', undefined]) {
      world = await start({ EMAIL_NOTIFY_TO: address })
      await take()
      await alarm()
      assert.deepEqual(await notices(), [])
    }
    assert.equal(events.length, 4)
  })

  test('a notice of a received mail has the first 500 characters of its text, and a subject of at most 500 characters', async () => {
    await take({ text: 'x'.repeat(500), subject: 'short' })
    await take({ messageId: '<2>', text: 'x'.repeat(501), subject: 's'.repeat(600) })
    await alarm()
    const [short, long] = (await notices()).toSorted((a, b) => a.subject.length - b.subject.length)
    const intro = (subject: string) => `ada@example.test has written to Hello@shop.test:\n\n${subject}\n\n`
    assert.equal(short?.text, intro('short') + 'x'.repeat(500))
    assert.equal(long?.text, `${intro('s'.repeat(600))}${'x'.repeat(500)} ...`)
    assert.equal(long?.subject, `New mail to Hello@shop.test: ${'s'.repeat(600)}`.slice(0, 500))
  })

  test('a mail handler that fails runs six times in all, and then an error names the job and the reason', async () => {
    answer = async () => ({ ok: false, error: 'no such customer' })
    await take()
    for (let times = 0; times < 6; times++) {
      assert.deepEqual(logged, [])
      await alarm()
    }
    const message = 'on-mail was given up after 6 attempts: no such customer'
    assert.deepEqual([events.length, logged], [6, [{ message, route: 'job on-mail' }]])
    assert.ok(inboxAt() > Date.now() + 29 * DAY_MS, 'only the alarm that forgets the mail is left')
  })

  test('a mail handler that is interrupted each time runs six times in all, and then an error says that it did not end', async () => {
    answer = () => new Promise(() => {})
    await take()
    for (let rounds = 0; rounds < 20 && logged.length === 0; rounds++) {
      await wake()
      world.restart(APP)
    }
    const message = 'on-mail was given up after 6 attempts: It did not end in time.'
    assert.deepEqual([events.length, logged], [6, [{ message, route: 'job on-mail' }]])
  })

  test('a notice of a received mail that the outbox rejects is sent again later, and an error is logged after six attempts', async () => {
    await take()
    let isDown = true
    world.before = (object, method) => {
      if (isDown && object === 'dir' && method === 'mail') throw new Error('The object was reset.')
    }
    await alarm()
    isDown = false
    await alarm()
    assert.deepEqual([(await notices()).length, events.length, logged], [1, 1, []])
    await take({ messageId: '<2>' })
    isDown = true
    for (let times = 0; times < 6; times++) await alarm()
    const message = 'owner@example.test was given up after 6 attempts: The object was reset.'
    assert.deepEqual(logged, [{ message, route: 'email' }])
  })

  test("while the app's worker is not deployed, notices are sent and handlers wait, and a deployment runs them", async () => {
    const { APP: app } = world.env
    delete world.env['APP']
    await take()
    await alarm()
    assert.deepEqual([events.length, (await notices()).length], [0, 1])
    await alarm()
    assert.equal(Math.round((inboxAt() - Date.now()) / MINUTE_MS), 5)
    world.env['APP'] = app
    await world.run(world.stub(APP).resumeHooks())
    assert.ok(inboxAt() <= Date.now())
    await alarm()
    assert.deepEqual([events.length, (await notices()).length], [1, 1])
  })

  test('while an app is copied to another cloud account it accepts no mail, and unfinished handlers run again in the other account', async () => {
    const running = Promise.withResolvers<{ ok: boolean }>()
    answer = () => running.promise
    const { id } = await take()
    await wake()
    await world.run(world.stub(APP).hold(true))
    const held = 'The app is being moved and accepts no changes right now. Try again in a few minutes.'
    const refused = { ok: false, error: { code: 'unavailable', message: held } }
    assert.deepEqual([await ask({ messageId: '<2>' }), await seen(MAIL.messageId)], [refused, refused])
    running.resolve({ ok: true })
    await alarm()
    assert.equal(Math.round((inboxAt() - Date.now()) / MINUTE_MS), 5)
    const there = await start()
    const head = await world.run(world.stub(APP).head())
    for (let times = 0; times < 2; times++)
      await there.run(there.stub(APP).takeHead(head, { hash: HASH, manifest: MANIFEST }))
    answer = async () => ({ ok: true })
    await alarm(there)
    assert.deepEqual(
      events.map(({ event }) => event.id),
      [id, id],
    )
    world = there
    assert.deepEqual(await take(), { id, isNew: false })
  })
})
