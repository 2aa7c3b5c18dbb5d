import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { listMails, readMail } from '../mail/outbox.ts'
import { type Client, testApp, type TestApp } from '../testing/app.ts'
import { liftRouteLimits } from '../testing/route-limits.ts'
import { purgePictures } from './attachments.ts'
import {
  replyAsOperator,
  closeAsOperator,
  listAllConversations,
  mailHelpReplies,
  picturesOf,
  readForOperator,
} from './operator.ts'
import type { HelpConversation, HelpThread } from './store.ts'
import { leaves } from '../testing/effects.ts'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0])
const GIF = Buffer.from('GIF89a.')
const WEBP = Buffer.from('RIFF....WEBPVP8 ')
const MAX = 5 * 1024 * 1024

interface Picture {
  id: string
  name: string
  contentType: string
  size: number
}

describe('the help desk', () => {
  let app: TestApp
  let person: Client & { email: string }
  before(async () => {
    app = await testApp({ limits: { keyPerMinute: 1e6, sessionPerMinute: 1e6, addressPerMinute: 1e6 } })
    liftRouteLimits(app)
  })
  beforeEach(async () => {
    person = await app.signUp()
    await app.platform.db.deleteFrom('mails').execute()
  })
  after(() => app.close())

  const openThread = (who: Client, more: object = {}) =>
    who.call<HelpConversation>('POST /help', { subject: 'Stuck', body: 'It does not build.', ...more })
  const replyTo = (who: Client, id: string, more: object = {}) =>
    who.call<HelpConversation>(`POST /help/${id}/messages`, { body: 'One more thing.', ...more })
  const uploadFile = async (who: Client, bytes: Buffer, type: string, name = 'shot.png') => {
    const response = await who.raw(`POST /help/attachments?${new URLSearchParams({ name }).toString()}`, {
      headers: { 'content-type': type },
      body: new Uint8Array(bytes),
    })
    const body = (await response.json()) as { data: Picture; error?: { code: string; message: string } }
    return { status: response.status, ...body }
  }
  const readAttachment = (who: Client, id: string) => who.raw(`GET /help/attachments/${id}`)
  const adminContext = () => ({ db: app.platform.db, now: app.clock.now(), defaultPlan: 'free' as const })
  const assertRefused = (
    { status, error }: { status: number; error?: { message: string } | undefined },
    wanted: number,
    words: RegExp,
  ) => {
    assert.equal(status, wanted)
    assert.match(error?.message ?? '', words)
  }

  test('the plan and the project name of a help conversation are read from the database and not taken from the request', async () => {
    leaves({ events: { 'project.created': 1 } })
    const { data: project } = await person.call<{ id: string }>('POST /projects', { name: 'Plants' })
    const said = { route: '/projects', plan: 'gold', projectId: 'prj_other', failures: [{ status: 500 }] }
    const { status, data } = await openThread(person, { projectId: project.id, console: said })
    assert.equal(status, 200)
    assert.deepEqual([data.projectId, data.projectName, data.state], [project.id, 'Plants', 'open'])
    assert.equal(data.plan, app.config.defaultPlan)
    assert.deepEqual(
      data.messages.map(({ author, body, attachments }) => [author, body, attachments]),
      [['member', 'It does not build.', []]],
    )
    assert.ok(!('console' in data), 'it is for the operator')
    assert.deepEqual((await readForOperator(app.platform.db, data.id)).console, said)
    const without = await openThread(person, { console: { projectId: project.id } })
    assert.equal(without.data.projectId, null)
    assert.deepEqual((await person.call(`GET /help/${data.id}`)).data, data)
  })

  test('help conversations are listed with the most recently active first', async () => {
    const ids: string[] = []
    for (let n = 0; n < 3; n++) {
      ids.push((await openThread(person, { subject: `Question ${n}` })).data.id)
      app.clock.advance(1000)
    }
    const [first = '', second = '', third = ''] = ids
    await replyTo(person, first)
    const listed = await person.call<HelpThread[]>('GET /help')
    assert.deepEqual(
      listed.data.map(({ id }) => id),
      [first, third, second],
    )
  })

  test("an operator's answer is mailed once to the member who wrote last, and a reply reopens the conversation", async () => {
    leaves({ activity: { 'help.answered': 1, 'help.closed': 1 } })
    const { id } = (await openThread(person)).data
    app.clock.advance(1000)
    await replyAsOperator(adminContext(), id, '  Try again.  ')
    const answered = (await person.call<HelpConversation>(`GET /help/${id}`)).data
    assert.equal(answered.state, 'answered')
    assert.partialDeepStrictEqual(answered.messages[1], {
      author: 'operator',
      name: null,
      body: 'Try again.',
    })
    const { signal } = new AbortController()
    await mailHelpReplies.run(app.platform, signal)
    await mailHelpReplies.run(app.platform, signal)
    const [mail, ...others] = await listMails(app.platform.db)
    assert.deepEqual([mail?.kind, mail?.recipient, others], ['help-answered', person.email, []])
    const { message } = (await readMail(app.platform.db, app.platform.keyring, mail?.id ?? '')) ?? {}
    assert.match(message?.text ?? '', new RegExp(`/help/${id}`))
    assert.doesNotMatch(message?.text ?? '', /Try again/, 'the answer is behind the sign-in')

    assert.equal((await replyTo(person, id)).data.state, 'open')
    await closeAsOperator(adminContext(), id)
    assert.equal((await person.call<HelpThread>(`GET /help/${id}`)).data.state, 'closed')
    assert.deepEqual((await replyTo(person, id)).data.state, 'open')
    const actions = await app.platform.db
      .selectFrom('activity')
      .select(['actor', 'action', 'target'])
      .where('org_id', '=', person.organizationId)
      .where('action', 'like', 'help.%')
      .orderBy('id')
      .execute()
    assert.deepEqual(actions, [
      { actor: 'operator', action: 'help.answered', target: 'Stuck' },
      { actor: 'operator', action: 'help.closed', target: 'Stuck' },
    ])
  })

  test("pictures in an operator's answer can be read only by the organization that asked, and the operator can read the pictures of members", async () => {
    leaves({ activity: { 'help.answered': 1 } })
    const other = await app.signUp()
    const { data: sent } = await uploadFile(person, JPEG, 'image/jpeg', 'mine.jpg')
    const { id } = (await openThread(person, { attachments: [sent.id] })).data
    app.clock.advance(1000)
    await replyAsOperator(adminContext(), id, 'Press here.', [
      { name: 'here.png', bytes: PNG },
      { name: 'then.gif', bytes: GIF },
    ])
    const { messages } = (await person.call<HelpConversation>(`GET /help/${id}`)).data
    const [first, second] = messages[1]?.attachments ?? []
    assert.deepEqual([first?.name, second?.name], ['here.png', 'then.gif'])
    const shown = await readAttachment(person, first?.id ?? '')
    assert.deepEqual(Buffer.from(await shown.arrayBuffer()), PNG)
    assert.match(shown.headers.get('content-security-policy') ?? '', /^sandbox/)
    assert.equal((await readAttachment(other, first?.id ?? '')).status, 404)
    assert.deepEqual(
      (await picturesOf(app.platform.db, id)).map(({ id: picture, bytes }) => [picture, bytes]),
      [
        [sent.id, JPEG],
        [first?.id, PNG],
        [second?.id, GIF],
      ],
    )
    const text = { name: 'notes.txt', bytes: Buffer.from('no picture') }
    for (const [pictures, words] of [
      [[text], /^notes\.txt is not a PNG/],
      [[{ name: 'big.png', bytes: Buffer.concat([PNG, Buffer.alloc(MAX)]) }], /^big\.png is not a PNG/],
      [Array.from({ length: 4 }, () => ({ name: 'a.png', bytes: PNG })), /at most 3 pictures/],
    ] as const)
      await assert.rejects(
        async () => replyAsOperator(adminContext(), id, 'x', pictures),
        ({ message }: Error) => words.test(message),
      )
    assert.equal(
      (await readForOperator(app.platform.db, id)).messages.length,
      2,
      'a refused answer leaves nothing',
    )
    await mailHelpReplies.run(app.platform, new AbortController().signal)
    const mails = (await listMails(app.platform.db)).filter(({ kind }) => kind === 'help-answered')
    assert.deepEqual(
      mails.map(({ recipient }) => recipient),
      [person.email],
    )
  })

  test('an answer in the conversation of a deleted person is stored but not mailed', async () => {
    leaves({ activity: { 'help.answered': 1 } })
    const { id } = (await openThread(person)).data
    await app.platform.db.deleteFrom('user').where('email', '=', person.email).execute()
    await replyAsOperator(adminContext(), id, 'Hello?')
    await mailHelpReplies.run(app.platform, new AbortController().signal)
    assert.deepEqual(await listMails(app.platform.db), [])
    assert.equal((await readForOperator(app.platform.db, id)).messages[0]?.name, null)
  })

  test("the operator's commands fail with a message for an unknown help conversation, an empty answer and a conversation that is closed already", async () => {
    leaves({ activity: { 'help.closed': 1 } })
    const { id } = (await openThread(person)).data
    await assert.rejects(
      replyAsOperator(adminContext(), 'hlp_no', 'x'),
      /There is no conversation "hlp_no"\./,
    )
    await assert.rejects(readForOperator(app.platform.db, 'hlp_no'), /There is no conversation/)
    await assert.rejects(async () => replyAsOperator(adminContext(), id, '  '), /An answer has 1 to 20000/)
    await closeAsOperator(adminContext(), id)
    await assert.rejects(closeAsOperator(adminContext(), id), /is closed already\.$/)
    assert.ok((await listAllConversations(app.platform.db)).some((thread) => thread.id === id))
  })

  test('PNG, JPEG, GIF and WebP pictures are shown in their help message in the given order, with headers that block scripts', async () => {
    const kinds = [
      [PNG, 'image/png'],
      [JPEG, 'image/jpeg'],
      [GIF, 'image/gif'],
      [WEBP, 'image/webp'],
    ] as const
    const made: Picture[] = []
    for (const [bytes, type] of kinds) {
      const { status, data } = await uploadFile(person, bytes, type, `${type}.x`)
      assert.equal(status, 200, type)
      assert.deepEqual(
        { ...data, id: '' },
        { id: '', name: `${type}.x`, contentType: type, size: bytes.length },
      )
      made.push(data)
    }
    const [first, second, third, fourth] = made.map(({ id }) => id)
    const thread = (await openThread(person, { attachments: [third, first, second] })).data
    assert.deepEqual(
      thread.messages[0]?.attachments.map(({ id }) => id),
      [third, first, second],
    )
    const shown = await readAttachment(person, first ?? '')
    assert.equal(shown.status, 200)
    assert.deepEqual(Buffer.from(await shown.arrayBuffer()), PNG)
    assert.equal(shown.headers.get('content-type'), 'image/png')
    assert.equal(shown.headers.get('x-content-type-options'), 'nosniff')
    assert.match(shown.headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none'$/)
    assert.equal((await readAttachment(person, fourth ?? '')).status, 404, 'no message has it')
    assert.deepEqual(
      (await replyTo(person, thread.id, { attachments: [fourth] })).data.messages[1]?.attachments.length,
      1,
    )
    assert.equal((await readAttachment(person, fourth ?? '')).status, 200)
  })

  test('a help upload that is too large, or that is not a picture of its declared type, is refused', async () => {
    for (const [bytes, type] of [
      [Buffer.from('<svg onload="alert(1)">'), 'image/png'],
      [PNG, 'image/jpeg'],
      [Buffer.from('%PDF-1.7'), 'image/png'],
      [Buffer.alloc(0), 'image/gif'],
    ] as const)
      assertRefused(await uploadFile(person, bytes, type), 400, /^body: must be a picture/)
    for (const type of ['image/svg+xml', 'text/html', 'application/pdf', 'application/json'])
      assertRefused(await uploadFile(person, PNG, type), 400, /^Content-Type: must be one of/)
    const atMost = Buffer.concat([PNG, Buffer.alloc(MAX - PNG.length)])
    assert.equal((await uploadFile(person, atMost, 'image/png')).status, 200)
    assertRefused(
      await uploadFile(person, Buffer.concat([atMost, PNG]), 'image/png'),
      400,
      /^body: must be at most/,
    )
  })

  test('a help picture can be used in only one message, and only by the person who uploaded it', async () => {
    const other = await app.signUp()
    const { data } = await uploadFile(person, PNG, 'image/png')
    assertRefused(
      await openThread(other, { attachments: [data.id] }),
      400,
      /^attachments\.0: is not an upload of yours/,
    )
    assert.deepEqual(
      (await other.call<HelpThread[]>('GET /help')).data,
      [],
      'nothing of the refused one is kept',
    )
    assertRefused(
      await openThread(person, { attachments: [data.id, data.id] }),
      400,
      /attachments: must not repeat/,
    )
    const thread = (await openThread(person, { attachments: [data.id] })).data
    assertRefused(await replyTo(person, thread.id, { attachments: [data.id] }), 400, /not an upload of yours/)
    assert.equal((await readAttachment(other, data.id)).status, 404)
    assert.equal((await readAttachment(person, data.id)).status, 200)
  })

  test('a help message with more than three pictures, no text or no subject is refused with an error that names the field', async () => {
    const { id } = (await openThread(person)).data
    assertRefused(await openThread(person, { attachments: ['a', 'b', 'c', 'd'] }), 400, /^attachments: /)
    assertRefused(await openThread(person, { body: '  ' }), 400, /^body: /)
    assertRefused(await openThread(person, { subject: '' }), 400, /^subject: /)
    assertRefused(await openThread(person, { console: { route: 'x'.repeat(9000) } }), 400, /^console: /)
    assertRefused(await replyTo(person, id, { body: 'x'.repeat(20_001) }), 400, /^body: /)
    assertRefused(await replyTo(person, id, { attachments: ['hla_no'] }), 400, /^attachments\.0: /)
  })

  test('a help conversation takes at most five hundred messages, because every read returns all of them', async () => {
    const { data } = await openThread(person)
    await app.platform.pool.query(
      `insert into help_messages (id, org_id, thread_id, author, body, created_at)
       select 'hlm_' || n, org_id, id, 'member', 'more', created_at from help_threads, generate_series(2, 499) n where id = $1`,
      [data.id],
    )
    const last = await replyTo(person, data.id)
    assert.deepEqual([last.status, last.data.messages.length], [200, 500])
    const refused = await replyTo(person, data.id)
    assert.equal(refused.status, 400)
    assert.match(
      refused.error?.message ?? '',
      /^body: cannot be added: a conversation has at most 500 messages/,
    )
  })

  test('an organization reads at most its thousand most recently active help conversations at once, and any other by its id', async () => {
    const { data } = await openThread(person, { subject: 'The oldest' })
    await app.platform.pool.query(
      `insert into help_threads (id, org_id, subject, state, created_by, plan, last_at, created_at)
       select 'hlp_' || n, org_id, 'Newer', state, created_by, plan, last_at + interval '1 second', created_at
       from help_threads, generate_series(1, 1000) n where id = $1`,
      [data.id],
    )
    const listed = await person.call<HelpThread[]>('GET /help')
    assert.equal(listed.data.length, 1000)
    assert.ok(listed.data.every(({ subject }) => subject === 'Newer'))
    assert.equal((await person.call<HelpThread>(`GET /help/${data.id}`)).data.subject, 'The oldest')
  })

  test('help conversations and projects of another organization are reported as unknown', async () => {
    leaves({ events: { 'project.created': 1 } })
    const other = await app.signUp()
    const { id } = (await openThread(person)).data
    const { data: project } = await person.call<{ id: string }>('POST /projects', { name: 'Mine' })
    assert.equal((await other.call(`GET /help/${id}`)).status, 404)
    assert.equal((await replyTo(other, id)).status, 404)
    assert.equal((await openThread(other, { projectId: project.id })).status, 404)
    assert.deepEqual((await other.call('GET /help')).data, [])
    // The response equals that for an unknown id, byte for byte.
    const bodyOf = async (threadId: string) => (await other.raw(`GET /help/${threadId}`)).text()
    assert.equal(await bodyOf(id), await bodyOf('hlp_no'))
  })

  test('a help picture that no message uses is deleted after a day, or as soon as its uploader has six newer pictures', async () => {
    const made: string[] = []
    for (let n = 0; n < 7; n++) {
      made.push((await uploadFile(person, PNG, 'image/png')).data.id)
      app.clock.advance(1000)
    }
    assertRefused(await openThread(person, { attachments: [made[0]] }), 400, /not an upload of yours/)
    const thread = (await openThread(person, { attachments: [made[1]] })).data
    app.clock.advance(86_400_000)
    await purgePictures.run(app.platform, new AbortController().signal)
    assertRefused(await replyTo(person, thread.id, { attachments: [made[2]] }), 400, /not an upload of yours/)
    assert.equal((await readAttachment(person, made[1] ?? '')).status, 200, 'a picture in a message stays')
  })

  test("a picture for help beyond the organization's limit is refused as a conflict", async () => {
    await app.platform.pool.query(
      `insert into help_attachments (id, org_id, name, content_type, size_bytes, data, created_at)
       select 'hla_' || $1 || n, $1, 'x', 'image/png', 1, 'x', now() from generate_series(1, 500) n`,
      [person.organizationId],
    )
    const { status, error } = await uploadFile(person, PNG, 'image/png')
    assert.deepEqual([status, error?.code], [409, 'conflict'])
  })

  test('every route of help conversations refuses API keys', async () => {
    const key = await app.keyFor(person)
    const { id } = (await openThread(person)).data
    for (const answer of [
      await key.call('GET /help'),
      await openThread(key),
      await key.call(`GET /help/${id}`),
      await replyTo(key, id),
      await key.call('GET /help/attachments/hla_1'),
      await uploadFile(key, PNG, 'image/png'),
    ])
      assert.deepEqual([answer.status, answer.error?.code], [403, 'forbidden'])
  })

  test('an account export contains the help conversations and messages, with the name but not the content of each picture', async () => {
    leaves({ activity: { 'account.exported': 1 } })
    const { data } = await uploadFile(person, PNG, 'image/png', 'what I see.png')
    // The report of the console contains an object that looks like a line of the export. It must not appear as a line there.
    const console = { route: '/', failures: [{}, { kind: 'help_thread', id: 1 }] }
    const thread = (await openThread(person, { attachments: [data.id], console })).data
    const lines = (await (await person.raw('GET /account/export')).text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const found = lines.filter(({ kind }) => String(kind).startsWith('help_'))
    assert.deepEqual(
      found.map(({ kind, id }) => [kind, id]),
      [
        ['help_thread', thread.id],
        ['help_message', thread.messages[0]?.id],
      ],
    )
    assert.deepEqual(found[0]?.['console'], console)
    assert.deepEqual(found[1]?.['attachments'], [
      { id: data.id, name: 'what I see.png', contentType: 'image/png', size: PNG.length },
    ])
  })
})
