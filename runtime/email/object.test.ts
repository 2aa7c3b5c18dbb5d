import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import type { ObjectState } from 'cloudflare:workers'
import { Alarms } from '../kernel/objects/alarms.ts'
import { Hold } from '../kernel/objects/hold.ts'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { importInWorkerd } from '../kernel/objects/workerd.test.fixture.ts'
import type { MailFields } from './compose.ts'
import type { MailObjectCalls } from './calls.ts'
import type { ObjectMail } from './object.ts'
import type { OutgoingMail } from './types.ts'

const NOW = Date.parse('2026-11-20T10:30:00Z')
const MINUTE_MS = 60_000

const importObject = () => importInWorkerd(() => import('./object.ts'))

/** Builds an outbox that can be restarted on the same storage, and a provider that fails on demand. */
class World {
  readonly sent: MailFields[] = []
  readonly storage = { ...memoryStorage(), setAlarm: async () => {}, deleteAll: async () => {} }
  readonly hold = new Hold(this.storage)
  failures = 0
  /** While true, pending sends never settle, as after the object was killed. */
  isDead = false
  readonly #work: Promise<unknown>[] = []
  readonly #make: typeof ObjectMail
  env: Record<string, unknown> = {}
  /** While set, the provider rejects every mail with this error. */
  refusal: { code: string; message: string } | null = null
  mail!: ObjectMail

  constructor(make: typeof ObjectMail, variables: Record<string, string> = {}) {
    this.#make = make
    this.env = { EMAIL_MAX_PER_HOUR: '50', EMAIL_PER_RECIPIENT_PER_DAY: '100', ...variables }
    this.restart()
  }

  verify(): this {
    const recordSent = async (fields: MailFields) => {
      if (this.isDead) return await new Promise(() => {})
      if (this.refusal !== null) throw Object.assign(new Error(this.refusal.message), this.refusal)
      if (this.failures > 0) {
        this.failures -= 1
        throw new Error('not now')
      }
      this.sent.push(fields)
      return undefined
    }
    this.env = { ...this.env, EMAIL_FROM: 'shop@example.test', MAIL: { send: recordSent } }
    this.restart()
    return this
  }

  /** Restarts the object with only its stored data. */
  restart(): void {
    this.#work.length = 0
    const ctx = { storage: this.storage, waitUntil: (work: Promise<unknown>) => void this.#work.push(work) }
    this.mail = new this.#make(
      {
        ctx: ctx as unknown as ObjectState,
        env: this.env,
        tier: 'production',
        hold: this.hold,
        alarms: new Alarms(this.storage),
      },
      () => 'The <Shop>',
    )
  }

  send(id: string, to: string | string[] = 'ada@example.test', more: Partial<OutgoingMail> = {}) {
    const recipients = typeof to === 'string' ? [to] : to
    const mail = {
      to: recipients,
      subject: 'News',
      text: 'Hello.',
      html: null,
      replyTo: null,
      attachments: [],
    }
    return this.ask('send', { id, mail: { ...mail, ...more } })
  }

  ask<Kind extends keyof MailObjectCalls>(kind: Kind, given: MailObjectCalls[Kind]['ask']) {
    return this.mail.answer(kind, given)
  }

  list() {
    const answer = this.ask('list', { limit: 1000 })
    return answer.ok ? answer.value : []
  }

  /** Runs the alarm and waits for the sends it started. */
  async wake(): Promise<void> {
    this.mail.wake()
    await Promise.all(this.#work.splice(0))
  }
}

describe('the outbox of an app', () => {
  let make: typeof ObjectMail
  const world = (variables?: Record<string, string>) => new World(make, variables)
  before(async () => {
    make = (await importObject()).ObjectMail
  })
  beforeEach(() => {
    mock.timers.reset()
    mock.timers.enable({ apis: ['Date'], now: NOW })
  })
  // Other test files run in the same process and need real timers.
  after(() => mock.timers.reset())

  test("a mail is sent from the configured address under the app's name, and its text is deleted afterwards", async () => {
    const one = world({ EMAIL_REPLY_TO: 'help@example.test' }).verify()
    assert.deepEqual(one.send('mail_1'), { ok: true, value: { id: 'mail_1' } })
    await one.wake()
    const [mail] = one.sent
    assert.deepEqual(mail, {
      from: { email: 'shop@example.test', name: 'The  Shop' },
      to: ['ada@example.test'],
      subject: 'News',
      text: 'Hello.',
      replyTo: 'help@example.test',
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Slipway-Mail': 'mail_1' },
    })
    assert.equal(
      JSON.stringify(one.storage.sql.exec('select * from mails').toArray()).includes('Hello.'),
      false,
    )
    await one.wake()
    assert.equal(one.sent.length, 1)
  })

  test('repeating a request to send a mail with the same id sends and counts one mail only', async () => {
    const one = world({ EMAIL_MAX_PER_HOUR: '1' }).verify()
    for (let times = 0; times < 3; times++) assert.ok(one.send('mail_1').ok)
    await one.wake()
    assert.ok(one.send('mail_1').ok)
    await one.wake()
    assert.equal(one.sent.length, 1)
  })

  test('of 50 mails within one calendar hour, exactly the number that the hourly limit allows is accepted and sent', async () => {
    const one = world({ EMAIL_MAX_PER_HOUR: '10' }).verify()
    const answers = Array.from({ length: 50 }, (_, i) => one.send(`mail_${i}`, `p${i}@example.test`))
    const refused = answers.flatMap((answer) => (answer.ok ? [] : [answer.error]))
    assert.equal(refused.length, 40)
    assert.deepEqual(
      [refused[0]?.code, refused[0]?.message, refused[0]?.retryAfterSeconds],
      ['rate_limited', 'No more mails this hour. Try again in 1800 s.', 1800],
    )
    await one.wake()
    assert.equal(one.sent.length, 10)
    // The limit is per calendar hour, not per 60 minutes.
    mock.timers.setTime(NOW + 29 * MINUTE_MS)
    assert.equal(one.send('late').ok, false)
    mock.timers.setTime(NOW + 30 * MINUTE_MS)
    assert.equal(one.send('next hour').ok, true)
  })

  test("each recipient of a mail counts toward the app's hourly limit and the recipient's daily limit", () => {
    const one = world({ EMAIL_MAX_PER_HOUR: '5', EMAIL_PER_RECIPIENT_PER_DAY: '2' }).verify()
    assert.ok(one.send('mail_1', ['ada@example.test', 'bob@example.test']).ok)
    assert.ok(one.send('mail_2', 'ada@example.test').ok)
    const third = one.send('mail_3', ['ada@example.test', 'cy@example.test'])
    assert.deepEqual(
      third.ok ? null : third.error.message,
      'No more mails to this address today. Try again in 48600 s.',
    )
    // The rejected mail has used up no part of the hourly limit.
    assert.ok(one.send('mail_4', ['bob@example.test', 'cy@example.test']).ok)
    assert.equal(one.send('mail_5', 'eve@example.test').ok, false)
  })

  test('a mail that fails to send is retried with growing delays, and stops counting toward the limit once it has failed for good', async () => {
    const one = world({ EMAIL_MAX_PER_HOUR: '1' }).verify()
    one.failures = 2
    assert.ok(one.send('mail_1').ok)
    await one.wake()
    assert.deepEqual([one.list()[0]?.state, one.list()[0]?.error], ['waiting', 'not now'])
    await one.wake()
    assert.equal(one.list()[0]?.attempts, 1, 'not before the pause has ended')
    mock.timers.setTime(NOW + MINUTE_MS / 2)
    await one.wake()
    assert.equal(one.list()[0]?.attempts, 2)
    mock.timers.setTime(NOW + 3 * MINUTE_MS)
    await one.wake()
    assert.deepEqual([one.list()[0]?.state, one.sent.length], ['sent', 1])

    mock.timers.setTime(NOW + 60 * MINUTE_MS)
    one.failures = 100
    assert.ok(one.send('mail_2').ok)
    for (let hour = 0; hour < 40; hour++) {
      mock.timers.setTime(NOW + (60 + hour * 60) * MINUTE_MS)
      await one.wake()
    }
    assert.deepEqual([one.list()[0]?.state, one.list()[0]?.attempts], ['failed', 7])
    assert.ok(one.send('mail_3').ok)
  })

  test('a mail that the provider permanently rejects is not retried, and its error names the recipient', async () => {
    const one = world({ EMAIL_MAX_PER_HOUR: '1' }).verify()
    one.refusal = { code: 'E_RECIPIENT_SUPPRESSED', message: 'ada@example.test bounced before.' }
    one.send('mail_1')
    await one.wake()
    assert.deepEqual(
      [one.list()[0]?.state, one.list()[0]?.attempts, one.list()[0]?.error],
      ['failed', 1, 'E_RECIPIENT_SUPPRESSED: ada@example.test bounced before.'],
    )
    one.refusal = { code: 'E_SENDER_NOT_VERIFIED', message: 'Verify the domain again.' }
    assert.ok(one.send('mail_2').ok, 'a refused mail does not count')
    await one.wake()
    assert.equal(one.list()[0]?.state, 'waiting')
  })

  test("a loop of automatic replies ends at the recipient's daily limit", async () => {
    const one = world({ EMAIL_PER_RECIPIENT_PER_DAY: '20' }).verify()
    for (let answers = 0; answers < 100; answers++) {
      one.send(`mail_${answers}`)
      await one.wake()
    }
    assert.equal(one.sent.length, 20)
    // Mail programs do not send automatic replies to mail with this header (RFC 3834).
    assert.ok(one.sent.every(({ headers }) => headers['Auto-Submitted'] === 'auto-generated'))
    assert.ok(one.send('other', 'bob@example.test').ok)
  })

  test('a mail interrupted by a crash is sent at the next alarm, or once its lease has expired if sending had begun', async () => {
    const one = world().verify()
    one.send('mail_1')
    one.restart()
    await one.wake()
    assert.equal(one.sent.length, 1)

    one.isDead = true
    one.send('mail_2')
    one.mail.wake()
    one.isDead = false
    one.restart()
    await one.wake()
    assert.equal(one.sent.length, 1, 'perhaps it still goes on')
    mock.timers.setTime(NOW + 15 * MINUTE_MS)
    await one.wake()
    assert.deepEqual(
      one.sent.map(({ headers }) => headers['X-Slipway-Mail']),
      ['mail_1', 'mail_2'],
    )
  })

  test('without a verified domain a mail waits and is shown to the operator, and is sent once a domain is verified', async () => {
    const one = world()
    assert.ok(one.send('mail_1').ok)
    one.ask('queue', {
      mail: { to: 'ada@example.test', subject: 'A code', text: '12' },
      goodForMs: 10 * MINUTE_MS,
    })
    await one.wake()
    const unsent = one.ask('unsent', { limit: 10 })
    assert.deepEqual(unsent.ok && unsent.value.map(({ subject }) => subject), ['A code', 'News'])
    mock.timers.setTime(NOW + 20 * MINUTE_MS)
    one.verify()
    one.ask('resume', null)
    await one.wake()
    // A code that has expired is useless, so its mail is not sent.
    assert.deepEqual(
      one.sent.map(({ subject }) => subject),
      ['News'],
    )
    assert.deepEqual(
      one.list().map(({ state }) => state),
      ['failed', 'sent'],
    )
  })

  test('a sign-in mail is queued even when the mail limit is reached, and sent when the limit allows', async () => {
    const one = world({ EMAIL_MAX_PER_HOUR: '1' }).verify()
    one.send('mail_1')
    const mail = { to: 'bob@example.test', subject: 'A link', text: 'Here: https://shop.test/?a=1&b=2 <now>' }
    assert.ok(one.ask('queue', { mail, goodForMs: 60 * MINUTE_MS }).ok)
    await one.wake()
    assert.equal(one.sent.length, 1)
    mock.timers.setTime(NOW + 30 * MINUTE_MS)
    await one.wake()
    assert.equal(one.sent.length, 2)
    assert.equal(one.sent[1]?.text, `${mail.text}\n\nThe <Shop>`)
    assert.match(
      one.sent[1]?.html ?? '',
      /<p>Here: <a href="https:\/\/shop\.test\/\?a=1&amp;b=2">https:\/\/shop\.test\/\?a=1&amp;b=2<\/a> &lt;now&gt;<\/p>/,
    )
  })

  test('queueing a sign-in mail for an unknown address succeeds and sends nothing', async () => {
    const one = world().verify()
    assert.ok(one.ask('queue', { mail: null, goodForMs: MINUTE_MS }).ok)
    await one.wake()
    assert.deepEqual([one.list(), one.sent], [[], []])
  })

  test('of 25 notification mails to the operator in an hour, only 20 are sent', async () => {
    const one = world().verify()
    const notice = { to: 'boss@example.test', subject: 'New mail', text: 'It came.' }
    for (let i = 0; i < 25; i++)
      assert.ok(one.ask('offer', { id: `mail_${i}`, kind: 'notice', mail: notice }).ok)
    await one.wake()
    assert.equal(one.sent.length, 20)
  })

  test('invitations use at most a quarter of the hourly mail limit', async () => {
    const one = world({ EMAIL_MAX_PER_HOUR: '8' }).verify()
    for (let i = 0; i < 8; i++) {
      const mail = { to: `p${i}@example.test`, subject: 'You are invited', text: 'Join.' }
      assert.ok(one.ask('offer', { id: `mail_${i}`, kind: 'invitation', mail }).ok)
    }
    const code = { to: 'ada@example.test', subject: 'A code', text: '12' }
    one.ask('queue', { mail: code, goodForMs: MINUTE_MS })
    await one.wake()
    assert.deepEqual(
      one.sent.map(({ to }) => to[0]),
      ['p0@example.test', 'p1@example.test', 'ada@example.test'],
    )
  })

  test('while an app is copied to another cloud account, no mail is queued or sent', async () => {
    const one = world().verify()
    one.send('mail_1')
    one.hold.set(true)
    const refused = one.send('mail_2')
    assert.equal(refused.ok ? null : refused.error.code, 'unavailable')
    await one.wake()
    assert.equal(one.sent.length, 0)
    one.hold.set(false)
    await one.wake()
    assert.equal(one.sent.length, 1)
  })

  test('a mail that is deleted while it is being sent is neither listed nor sent again', async () => {
    const one = world().verify()
    one.send('mail_1', 'gone@example.test')
    one.mail.wake()
    one.storage.sql.exec('delete from mails')
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(one.list(), [])
    await one.wake()
    assert.equal(one.sent.length, 1)
  })
})
