import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  importObjects,
  type ObjectModules,
  ObjectWorld,
  recordErrors,
} from '../data/partition/objects.test.fixture.ts'
import type { Manifest } from '../kernel/manifest.ts'
import { importInWorkerd } from '../kernel/objects/workerd.test.fixture.ts'
import type { FileBytes } from './parse.ts'
import type { MailboxSettings } from './settings.ts'

const HASH = 'release-1'
const MAILBOX: MailboxSettings = {
  localPart: 'hello',
  address: 'Hello@shop.test',
  collection: 'mails',
  notify: false,
}
const MANIFEST: Manifest = {
  name: 'Shop',
  migrations: [],
  collections: {
    mails: {
      title: 'Mails',
      partition: 'app',
      read: 'staff',
      write: 'nobody',
      fields: {
        from: { type: 'text' },
        subject: { type: 'text' },
        text: { type: 'text' },
        messageId: { type: 'text' },
        attachments: { type: 'json' },
      },
    },
    strict: {
      title: 'Strict',
      partition: 'app',
      read: 'staff',
      write: 'nobody',
      fields: { customer: { type: 'text', required: true } },
    },
  },
  mailboxes: [{ collection: 'mails', handler: 'on-mail' }],
}
const MAX_BYTES = 25 * 1024 * 1024

const importReceiver = () => importInWorkerd(() => import('./receive.ts'))
type Receiver = Awaited<ReturnType<typeof importReceiver>>

const mailText = (headers: Record<string, string> = {}, body = 'Two pears, please.') => {
  const all = { From: 'Ada <Ada@example.test>', To: 'hello@shop.test', Subject: 'An order', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [...lines, '', body].join('\r\n')
}
const withFile = (name: string, text: string) =>
  mailText(
    { 'Message-ID': '<file@example.test>', 'Content-Type': 'multipart/mixed; boundary="b"' },
    [
      '--b',
      'Content-Type: text/plain',
      '',
      'See the list.',
      '--b',
      'Content-Type: text/csv',
      `Content-Disposition: attachment; filename="${name}"`,
      '',
      text,
      '--b--',
    ].join('\r\n'),
  )

describe('mail that arrives at the live worker', () => {
  let modules: ObjectModules
  let receiver: Receiver
  let world: ObjectWorld
  let logged: { message: string; route: string }[]
  let stored: string[]
  let events: { subject: string; isAutomatic: boolean }[]
  before(async () => {
    modules = await importObjects()
    receiver = await importReceiver()
  })
  beforeEach(async () => {
    ObjectWorld.install()
    logged = recordErrors()
    stored = []
    events = []
    world = new ObjectWorld(modules, {
      EMAIL_FROM: 'Shop@shop.test',
      EMAIL_MAILBOXES: JSON.stringify([MAILBOX]),
      APP: {
        mail: async (_job: string, event: (typeof events)[number]) => {
          events.push({ subject: event.subject, isAutomatic: event.isAutomatic })
          return { ok: true }
        },
        mailFiles: async (files: FileBytes[]) => {
          stored.push(...files.map(({ name }) => name))
          return files.map(({ name, type, bytes }) => ({
            name,
            type,
            size: bytes.length,
            fileId: `f-${name}`,
          }))
        },
      },
    })
    await world.release(HASH, MANIFEST)
  })
  after(() => ObjectWorld.uninstall())

  /** Delivers a mail. Returns the reason why it was rejected; null when it was accepted. */
  async function deliver(
    text: string,
    { from = 'ada@example.test', to = 'hello@shop.test', rawSize = text.length } = {},
  ) {
    let reason: string | null = null
    const raw = new Blob([text]).stream()
    const setReject = (why: string) => void (reason = why)
    await world.run(receiver.receiveMail({ from, to, raw, rawSize, setReject }, world.env as never))
    return reason
  }
  const records = async () => {
    const page = await world.run(
      world.stub('data:app').data(HASH, 'system', { kind: 'list', collection: 'mails', query: {} }),
    )
    const { value } = JSON.parse(page) as unknown as { value: { items: Record<string, unknown>[] } }
    return value.items.map(({ from, subject, text, messageId, attachments }) => ({
      from,
      subject,
      text,
      messageId,
      attachments,
    }))
  }
  const setMailboxes = (...mailboxes: MailboxSettings[]) =>
    Object.assign(world.env, { EMAIL_MAILBOXES: JSON.stringify(mailboxes) })

  test('a mail to a mailbox becomes a record, even if the address is in capitals', async () => {
    const id = { 'Message-ID': '<1@example.test>' }
    assert.equal(await deliver(mailText(id), { to: 'HELLO@Shop.test' }), null)
    assert.deepEqual(await records(), [
      {
        from: 'ada@example.test',
        subject: 'An order',
        text: 'Two pears, please.\n',
        messageId: '<1@example.test>',
        attachments: [],
      },
    ])
  })

  test('a mail that is delivered twice becomes one record, with or without a Message-ID', async () => {
    for (const headers of [{ 'Message-ID': '<1@example.test>' }, { Subject: 'No id' }])
      for (let times = 0; times < 2; times++) assert.equal(await deliver(mailText(headers)), null)
    assert.deepEqual((await records()).map(({ subject }) => subject).toSorted(), ['An order', 'No id'])
    await deliver(mailText({ Subject: 'No id' }, 'Another text'))
    assert.equal((await records()).length, 3)
  })

  test('a mail to an address that is not a mailbox is rejected before it is read', async () => {
    for (const to of ['other@shop.test', 'hello@other.test', '', 'hello+x@shop.test'])
      assert.equal(await deliver(mailText(), { to }), 'There is no such mailbox.')
    assert.deepEqual(await records(), [])
  })

  test('a mail that is larger than 25 MiB is rejected before it is read', async () => {
    assert.equal(await deliver(mailText(), { rawSize: MAX_BYTES + 1 }), 'The mail is larger than 25 MiB.')
    assert.equal(await deliver(mailText(), { rawSize: MAX_BYTES }), null)
  })

  test('a mail that cannot be parsed is returned to its sender', async () => {
    const headers = { 'X-Long': 'x'.repeat(600 * 1024) }
    assert.equal(await deliver(mailText(headers)), 'The mail cannot be read.')
    assert.deepEqual(await records(), [])
  })

  test('a mail from an address of the app itself counts as automatic, whatever the case of either address', async () => {
    for (const from of ['shop@shop.test', 'SHOP@SHOP.TEST', 'ada@example.test'])
      await deliver(mailText({ From: from, Subject: from }))
    await world.alarm('data:app')
    await world.settle()
    assert.deepEqual(
      new Map(events.map(({ subject, isAutomatic }) => [subject, isAutomatic])),
      new Map([
        ['shop@shop.test', true],
        ['SHOP@SHOP.TEST', true],
        ['ada@example.test', false],
      ]),
    )
  })

  test('the attachments of a mail are stored once, even if the mail is delivered twice', async () => {
    for (let times = 0; times < 2; times++) assert.equal(await deliver(withFile('list.csv', 'a,b')), null)
    const attachment = { name: 'list.csv', type: 'text/csv', size: 4, fileId: 'f-list.csv' }
    assert.deepEqual(
      [(await records()).map(({ attachments }) => attachments), stored],
      [[[attachment]], ['list.csv']],
    )
  })

  test('a mail whose attachments cannot be stored is kept with their names, and the reason is logged', async () => {
    const listed = [{ name: 'list.csv', type: 'text/csv', size: 4 }]
    const { APP } = world.env as { APP: Record<string, unknown> }
    APP['mailFiles'] = () => Promise.reject(new Error('The app cannot be reached.'))
    assert.equal(await deliver(withFile('list.csv', 'a,b')), null)
    assert.deepEqual(
      [(await records())[0]?.['attachments'], logged],
      [listed, [{ message: 'The app cannot be reached.', route: 'email' }]],
    )
    delete world.env['APP']
    const second = withFile('list.csv', 'c,d').replace('<file@', '<other@')
    assert.equal(await deliver(second), null)
    assert.deepEqual(
      (await records()).map(({ attachments }) => attachments),
      [listed, listed],
    )
  })

  test('while an app is not live yet, delivery fails so that the mail is sent again later, and no attachment is stored', async () => {
    world = new ObjectWorld(modules, world.env)
    await assert.rejects(deliver(withFile('list.csv', 'a,b')), {
      code: 'unavailable',
      message: 'The app is not live yet.',
    })
    assert.deepEqual(stored, [])
  })

  test('during a move to another cloud account, delivery fails so that the mail is sent again later, and no attachment is stored', async () => {
    await world.run(world.stub('data:app').hold(true))
    await assert.rejects(deliver(withFile('list.csv', 'a,b')), { code: 'unavailable' })
    assert.deepEqual(stored, [])
    await world.run(world.stub('data:app').hold(false))
    assert.equal(await deliver(withFile('list.csv', 'a,b')), null)
    assert.deepEqual([stored, (await records()).length], [['list.csv'], 1])
  })

  test('when a Durable Object fails, delivery fails so that the provider delivers the mail again', async () => {
    world.before = (_object, method, kind) => {
      if (method === 'inbox' && kind === 'take') throw new Error('The object restarts.')
    }
    await assert.rejects(deliver(mailText()), { message: 'The object restarts.' })
    world.before = () => {}
    assert.equal(await deliver(mailText()), null)
    assert.equal((await records()).length, 1)
  })

  test('a mail that its collection cannot store is returned to its sender, and the reason is logged', async () => {
    setMailboxes({ ...MAILBOX, collection: 'strict' })
    assert.equal(await deliver(mailText()), 'The mailbox cannot take this mail.')
    assert.deepEqual(logged, [{ message: 'customer: is required', route: 'email' }])
    setMailboxes({ ...MAILBOX, collection: 'gone' })
    assert.equal(await deliver(mailText()), 'The mailbox cannot take this mail.')
  })

  test('a mail is stored even if its partition does not know the active release yet', async () => {
    await world.run(world.stub('dir').dirPrepare('release-2', MANIFEST))
    await world.run(world.stub('dir').dirActivate('release-2'))
    assert.equal(await deliver(mailText()), null)
    assert.equal((await records()).length, 1)
  })
})
