import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { listMails } from '../mail/outbox.ts'
import { type Client, testApp, type TestApp } from '../testing/app.ts'
import { liftRouteLimits } from '../testing/route-limits.ts'
import type { DeskConversation, DeskThread } from './desk.ts'
import { mailHelpReplies } from './operator.ts'
import type { HelpConversation } from './store.ts'
import { leaves } from '../testing/effects.ts'

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])

describe('the help desk of the operator organization', () => {
  let app: TestApp
  let person: Client & { email: string }
  let operator: Client & { email: string }
  before(async () => {
    app = await testApp({ limits: { keyPerMinute: 1e6, sessionPerMinute: 1e6, addressPerMinute: 1e6 } })
    liftRouteLimits(app)
    ;[person, operator] = [await app.signUp(), await app.signUp()]
    app.platform.config.operatorOrganization = operator.organizationId
  })
  after(() => app.close())

  const openThread = async (subject: string, more: object = {}) =>
    (await person.call<HelpConversation>('POST /help', { subject, body: 'It does not build.', ...more })).data
  const listThreads = async (state: string) =>
    (await operator.call<DeskThread[]>(`GET /desk?state=${state}`)).data.map(({ subject }) => subject)
  const answerThread = (who: Client, id: string, more: object = {}) =>
    who.call<DeskConversation>(`POST /desk/${id}/messages`, { body: 'It works again.', ...more })
  const uploadPicture = async (who: Client) => {
    const asked = { headers: { 'content-type': 'image/png' }, body: PNG }
    const { data } = (await (await who.raw('POST /help/attachments', asked)).json()) as {
      data: { id: string }
    }
    return data.id
  }
  const activityOf = async (who: Client) =>
    (await who.call<{ items: { action: string; actor: string; target: string }[] }>('GET /activity')).data
      .items

  test("the operator's help desk lists the conversations of all organizations by state, with the organization that asked", async () => {
    await openThread('Listed')
    const { data } = await operator.call<DeskThread[]>('GET /desk')
    const found = data.find(({ subject }) => subject === 'Listed')
    assert.equal(found?.organization.id, person.organizationId)
    assert.ok(found.organization.name.length > 0)
    assert.ok(!(await listThreads('answered')).includes('Listed'))
    assert.deepEqual(
      [
        (await operator.call('GET /desk?state=lost')).status,
        (await operator.call('GET /desk?state=')).status,
      ],
      [400, 400],
    )
  })

  test("an operator's answer with a picture is shown and mailed to the member, and is in the activity log of both organizations", async () => {
    leaves({ activity: { 'help.answered': 2 } })
    const thread = await openThread('Answered', { console: { route: '/projects' } })
    const read = (await operator.call<DeskConversation>(`GET /desk/${thread.id}`)).data
    assert.deepEqual([read.console, read.messages.length], [{ route: '/projects' }, 1])
    await app.platform.db.deleteFrom('mails').execute()
    const shot = await uploadPicture(operator)
    const { data, status } = await answerThread(operator, thread.id, { attachments: [shot] })
    assert.deepEqual([status, data.state], [200, 'answered'])
    const seen = (await person.call<HelpConversation>(`GET /help/${thread.id}`)).data
    const last = seen.messages.at(-1)
    assert.deepEqual([last?.author, last?.name, last?.body], ['operator', null, 'It works again.'])
    assert.deepEqual(
      last?.attachments.map(({ id }) => id),
      [shot],
    )
    for (const path of [`/help/attachments/${shot}`, `/desk/attachments/${shot}`]) {
      const shown = await (path.startsWith('/help') ? person : operator).raw(`GET ${path}`)
      assert.deepEqual(new Uint8Array(await shown.arrayBuffer()), PNG)
      assert.match(shown.headers.get('content-security-policy') ?? '', /sandbox/)
    }
    await mailHelpReplies.run(app.platform, new AbortController().signal)
    assert.deepEqual(
      (await listMails(app.platform.db)).map(({ recipient }) => recipient),
      [person.email],
    )
    const told = (await activityOf(person)).find(({ action }) => action === 'help.answered')
    assert.deepEqual([told?.actor, told?.target], ['operator', 'Answered'])
    const noted = (await activityOf(operator)).find(({ action }) => action === 'help.answered')
    assert.deepEqual([noted?.actor, noted?.target], [operator.email, thread.id])
    assert.ok((await listThreads('answered')).includes('Answered'))
  })

  test('closing a help conversation twice is refused, and a reply of the member reopens it', async () => {
    leaves({ activity: { 'help.closed': 2 } })
    const { id } = await openThread('Closed')
    assert.equal((await operator.call<DeskConversation>(`POST /desk/${id}/close`)).data.state, 'closed')
    const again = await operator.call(`POST /desk/${id}/close`)
    assert.deepEqual([again.status, again.error?.code], [409, 'conflict'])
    assert.ok((await listThreads('closed')).includes('Closed'))
    await person.call(`POST /help/${id}/messages`, { body: 'Still stuck.' })
    assert.ok((await listThreads('open')).includes('Closed'))
  })

  test("outside the operator's organization the help desk list is null; existing and unknown conversations get the same 404", async () => {
    const { id } = await openThread('Private')
    const shot = await uploadPicture(person)
    await person.call(`POST /help/${id}/messages`, { body: 'See.', attachments: [shot] })
    assert.equal((await person.call('GET /desk')).data, null)
    const refusals = await Promise.all(
      [id, 'hlp_unknown'].flatMap((thread) => [
        person.call(`GET /desk/${thread}`),
        answerThread(person, thread),
        person.call(`POST /desk/${thread}/close`),
        person.call(`GET /desk/attachments/${shot}`),
      ]),
    )
    for (const { status, error } of refusals) assert.deepEqual([status, error?.code], [404, 'not_found'])
    assert.equal((await person.call<HelpConversation>(`GET /help/${id}`)).data.messages.length, 2)
    app.platform.config.operatorOrganization = null
    assert.equal((await operator.call('GET /desk')).data, null)
    assert.equal((await operator.call(`GET /desk/${id}`)).status, 404)
    app.platform.config.operatorOrganization = operator.organizationId
  })

  test("an answer of the help desk without text, or with another person's upload, is refused and changes nothing", async () => {
    const { id } = await openThread('Refused')
    const theirs = await uploadPicture(person)
    const refused = [
      await answerThread(operator, id, { body: ' ' }),
      await answerThread(operator, id, { attachments: [theirs] }),
      await answerThread(operator, 'hlp_unknown'),
    ]
    assert.deepEqual(
      refused.map(({ status }) => status),
      [400, 400, 404],
    )
    assert.match(refused[0]?.error?.message ?? '', /^body/)
    assert.match(refused[1]?.error?.message ?? '', /^attachments\.0/)
    const { data } = await operator.call<DeskConversation>(`GET /desk/${id}`)
    assert.deepEqual([data.state, data.messages.length], ['open', 1])
  })
})
