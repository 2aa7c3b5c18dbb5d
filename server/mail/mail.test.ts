import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import PostalMime from 'postal-mime'
import { openJobs } from '../jobs/jobs.ts'
import { testApp, type TestApp } from '../testing/app.ts'
import { silentLog } from '../testing/database.ts'
import { type MailServer, openMailServer } from '../testing/providers/mail-server.ts'
import { undoAfter } from '../testing/undo.ts'
import { openMailer } from './enqueue-mail.ts'
import { accountDeletedMail, invitationMail } from './templates.ts'
import { mailJob } from './mail-job.ts'
import { listMails, readMail } from './outbox.ts'
import { purgeMails } from './purge-mails.ts'
import { resetMail } from './templates.ts'
import { leaves } from '../testing/effects.ts'

const SECRET = 'https://slipway.test/reset?token=canary-4711'

describe('mails', () => {
  let app: TestApp
  let server: MailServer
  before(async () => {
    server = await openMailServer()
    app = await testApp({ mail: { smtpUrl: server.url, from: 'Slipway <slipway@slipway.test>' } })
  })
  beforeEach(async () => {
    server.received.length = 0
    server.refuse = () => null
    await app.platform.db.deleteFrom('mails').execute()
  })
  after(async () => {
    await app.close()
    await server.close()
  })

  const enqueueReset = async (recipient = 'ada@example.test', platform = app.platform) => {
    await openMailer(platform).enqueue({
      kind: 'reset',
      recipient,
      message: resetMail({ url: SECRET }),
      url: SECRET,
    })
    return (await listMails(platform.db))[0]?.id ?? ''
  }
  const runMailJob = (mailId: string) =>
    mailJob.run(app.platform, { data: { mailId }, attempt: 1, signal: new AbortController().signal })
  const readStoredMail = async (id: string) => {
    const mail = await readMail(app.platform.db, app.platform.keyring, id)
    assert.ok(mail)
    return mail
  }
  const firstReceived = async () => {
    const [received] = server.received
    assert.ok(received)
    return { to: received.to, mail: await PostalMime.parse(received.source) }
  }
  const jobsStored = async () => {
    const { rows } = await app.platform.pool.query<{ n: number }>(
      `select count(*)::int as n from pgboss.job where name = 'mail'`,
    )
    return rows[0]?.n
  }

  test('a mail arrives as text and HTML, and its stored text is deleted once the mail server has accepted the mail', async () => {
    leaves({ jobs: { mail: 1 } })
    const id = await enqueueReset()
    await runMailJob(id)
    const { to, mail } = await firstReceived()
    assert.deepEqual(to, ['ada@example.test'])
    assert.equal(mail.subject, 'Choose a new password')
    assert.deepEqual(mail.from, { name: 'Slipway', address: 'slipway@slipway.test' })
    assert.equal(mail.messageId, `<${id}@slipway.test>`)
    assert.ok(mail.text?.includes(SECRET))
    assert.ok(mail.html?.includes(SECRET))
    const { state, message } = await readStoredMail(id)
    assert.deepEqual({ state, message }, { state: 'sent', message: null })
  })

  test("no part of the e-mail about an account's deletion stays stored after it was sent", async () => {
    leaves({ jobs: { mail: 1 } })
    const message = accountDeletedMail({ left: ['plants (Plants)'], url: 'https://slipway.test' })
    await app.platform.mailer.enqueue({
      kind: 'account-deleted',
      recipient: 'ada@example.test',
      message,
      url: '',
    })
    await runMailJob((await listMails(app.platform.db))[0]?.id ?? '')
    assert.match((await firstReceived()).mail.text ?? '', /stay in your cloud account.*\n\nplants \(Plants\)/)
    assert.deepEqual(await listMails(app.platform.db), [])
  })

  test("the log does not contain the recipient when the mail server refuses the e-mail about an account's deletion", async () => {
    leaves({ jobs: { mail: 1 } })
    const lines: string[] = []
    const log = { ...silentLog, warn: (entry: object) => lines.push(JSON.stringify(entry)) }
    const recipient = 'gone@example.test'
    const message = accountDeletedMail({ left: [], url: 'https://slipway.test' })
    await app.platform.mailer.enqueue({ kind: 'account-deleted', recipient, message, url: '' })
    const [mail] = await listMails(app.platform.db)
    const run = () => mailJob.run({ ...app.platform, log: log as never }, job)
    const job = { data: { mailId: mail?.id ?? '' }, attempt: 1, signal: new AbortController().signal }
    server.refuse = () => ({ code: 451, message: `Ask later about ${recipient}` })
    // The job library logs the error of a job that it retries, so the error counts as a log line.
    await run().catch((error: unknown) => lines.push(inspect(error)))
    server.refuse = () => ({ code: 550, message: `No mailbox ${recipient}` })
    await run()
    assert.equal(lines.length, 3)
    assert.doesNotMatch(lines.join(), /gone@/)
    assert.match((await readStoredMail(mail?.id ?? '')).problem ?? '', /No mailbox gone@/)
  })

  test('names in mails may use any writing system and are never sent as HTML or headers', async () => {
    leaves({ jobs: { mail: 1 } })
    const message = invitationMail({
      organization: 'Žluťoučký kůň 🐎\r\nBcc: eve@example.test',
      inviter: '<b>"Ada" & Co</b>',
      role: 'admin',
      url: 'https://slipway.test/invite/1',
    })
    const recipient = 'eve@example.test'
    await app.platform.mailer.enqueue({ kind: 'invitation', recipient, message, url: '' })
    await runMailJob((await listMails(app.platform.db))[0]?.id ?? '')
    const { mail } = await firstReceived()
    assert.equal(mail.subject, 'Join Žluťoučký kůň 🐎 Bcc: eve@\u2060example.\u2060test on Slipway')
    assert.equal(mail.bcc, undefined)
    assert.ok(mail.text?.includes('<b>"Ada" & Co</b> invites you'))
    assert.ok(mail.html?.includes('&lt;b&gt;&quot;Ada&quot; &amp; Co&lt;/b&gt; invites you'))
  })

  test('a mail that the mail server refuses temporarily with a 451 is sent again', async () => {
    leaves({ jobs: { mail: 1 } })
    const id = await enqueueReset()
    server.refuse = () => ({ code: 451, message: 'greylisted' })
    await assert.rejects(runMailJob(id))
    const waiting = await readStoredMail(id)
    assert.equal(waiting.state, 'waiting')
    assert.match(waiting.problem ?? '', /451 greylisted/)
    server.refuse = () => null
    await runMailJob(id)
    assert.deepEqual([(await readStoredMail(id)).state, server.received.length], ['sent', 1])
    await runMailJob(id)
    assert.equal(server.received.length, 1, 'a job that runs again sends nothing twice')
  })

  test('a mail to a mailbox that does not exist is not retried, and the operator sees the reason', async () => {
    leaves({ jobs: { mail: 1 } })
    const id = await enqueueReset()
    server.refuse = () => ({ code: 550, message: 'no such user' })
    await runMailJob(id)
    const { state, problem, message } = await readStoredMail(id)
    assert.equal(state, 'failed')
    assert.match(problem ?? '', /550 no such user/)
    assert.ok(message?.text.includes(SECRET), 'kept, so that the operator can hand it over')
  })

  test('a mail whose last attempt failed has the state `failed` and the reason of that attempt', async () => {
    leaves({ jobs: { mail: 1 } })
    const id = await enqueueReset()
    server.refuse = () => ({ code: 421, message: 'busy' })
    await assert.rejects(runMailJob(id))
    await mailJob.abandon?.(app.platform, { mailId: id })
    const { state, problem } = await readStoredMail(id)
    assert.equal(state, 'failed')
    assert.match(problem ?? '', /421 busy/)
  })

  test('a running service sends a stored mail, with at most five retries', async (t) => {
    leaves({ jobs: { mail: 1 } })
    assert.equal(mailJob.retryLimit, 5)
    const url = String(app.platform.pool.options.connectionString)
    const jobs = await openJobs({ url, log: silentLog, definitions: [mailJob] })
    undoAfter(t, () => jobs.stop())
    await jobs.work(app.platform)
    await enqueueReset()
    const deadline = performance.now() + 8000
    while (server.received.length === 0 && performance.now() < deadline) await sleep(20)
    assert.equal((await firstReceived()).mail.subject, 'Choose a new password')
  })

  test('without a mail server a mail is stored encrypted in the state `held`, and no job is created for it', async () => {
    const platform = { ...app.platform, config: { ...app.config, mail: null } }
    const jobsBefore = await jobsStored()
    const id = await enqueueReset('ada@example.test', platform)
    const { state, message } = await readStoredMail(id)
    assert.equal(state, 'held')
    assert.ok(message?.text.includes(SECRET))
    assert.equal(await jobsStored(), jobsBefore)
    const rows = JSON.stringify(await app.platform.db.selectFrom('mails').selectAll().execute())
    assert.ok(!rows.includes('canary-4711'))
  })

  test('an unsent mail gets the state `held` when the mail server has been removed from the settings', async () => {
    leaves({ jobs: { mail: 1 } })
    const id = await enqueueReset()
    const platform = { ...app.platform, config: { ...app.config, mail: null } }
    const { signal } = new AbortController()
    await mailJob.run(platform, { data: { mailId: id }, attempt: 1, signal })
    assert.equal((await readStoredMail(id)).state, 'held')
  })

  test('a stopping process leaves an unsent mail unchanged for the next process', async () => {
    leaves({ jobs: { mail: 1 } })
    const id = await enqueueReset()
    const signal = AbortSignal.abort(new Error('stopping'))
    await assert.rejects(mailJob.run(app.platform, { data: { mailId: id }, attempt: 1, signal }), /stopping/)
    const { state, problem } = await readStoredMail(id)
    assert.deepEqual([state, problem, server.received.length], ['waiting', null, 0])
  })

  test('the log of an unsent mail names its recipient, and contains its link only if the base URL is localhost', async () => {
    const loggedLines = async (baseUrl: string) => {
      const lines: unknown[] = []
      const log = { info: (line: unknown) => void lines.push(line) }
      const config = { ...app.config, mail: null, baseUrl }
      await enqueueReset('ada@example.test', { ...app.platform, config, log: log as never })
      return JSON.stringify(lines)
    }
    assert.match(await loggedLines('http://localhost:4300'), /ada@example\.test.*canary-4711/)
    const elsewhere = await loggedLines('https://slipway.example')
    assert.match(elsewhere, /ada@example\.test/)
    assert.doesNotMatch(elsewhere, /canary-4711/)
  })

  test('a mail is deleted after a week, whatever its state', async () => {
    leaves({ jobs: { mail: 1 } })
    await enqueueReset()
    app.clock.advance(7 * 86_400_000 - 1)
    await purgeMails.run(app.platform, new AbortController().signal)
    assert.equal((await listMails(app.platform.db)).length, 1)
    app.clock.advance(1)
    await purgeMails.run(app.platform, new AbortController().signal)
    assert.equal((await listMails(app.platform.db)).length, 0)
  })
})
