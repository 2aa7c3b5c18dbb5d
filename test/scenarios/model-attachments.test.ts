import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { finish, write } from '../support/scripted-model.ts'
import {
  type BuildWorld,
  type BuildProject,
  buildWorld,
  A_GREEN_BUILD,
  A_FAILED_BUILD,
} from './build-world.ts'
import { leaves } from '../../server/testing/effects.ts'

const GREEN = [
  { toolCalls: [write('shared/plants.ts', 'export const plants = 3\n')] },
  { toolCalls: [finish()] },
]
const HASH = 'ab'.repeat(32)
const KEY = `_prompt/${HASH}`

describe('attachments of a build', () => {
  let world: BuildWorld
  before(async () => {
    world = await buildWorld()
  })
  after(() => world.close())

  /** Stores the row of an attachment whose bytes are in an account that is no longer connected. */
  const insertFinalized = (place: BuildProject, mediaType: 'image/png' | 'application/pdf') =>
    world.app.platform.db
      .insertInto('attachments')
      .values({
        org_id: world.person.organizationId,
        project_id: place.projectId,
        sha256: HASH,
        media_type: mediaType,
        size_bytes: 10,
        account_id: 'gone',
        created_at: world.app.clock.now(),
      })
      .execute()
  const setModalities = (place: BuildProject, modalities: string[]) =>
    world.person.call(`PATCH /connections/models/${place.modelConnectionId}`, { modalities })

  test('a build request with an unknown attachment key gets an error for the field attachments', async () => {
    const [place, other] = [await world.openProject(GREEN), await world.openProject(GREEN)]
    await insertFinalized(other, 'image/png')
    for (const key of [KEY, 'x', '../../etc/passwd']) {
      const answer = await place.build({ attachments: [key] })
      assert.deepEqual([answer.status, answer.error?.code], [400, 'invalid_request'])
      assert.match(answer.error?.message ?? '', /^attachments/)
    }
    assert.equal((await place.calls()).length, 0)
  })

  for (const [mediaType, modality, word] of [
    ['image/png', 'images', 'images'],
    ['application/pdf', 'pdfs', 'PDFs'],
  ] as const) {
    test(`a build with attached ${word} is refused with 412 only if its model cannot read ${word}`, async () => {
      leaves({ ...A_FAILED_BUILD, activity: { 'model.updated': 1 } })
      const place = await world.openProject(GREEN)
      await insertFinalized(place, mediaType)
      for (const path of ['build', 'build/stream']) {
        const refused = await place.call(`POST /tickets/${place.ticketId}/${path}`, { attachments: [KEY] })
        assert.deepEqual([refused.status, refused.error?.code], [412, 'attachments_unsupported'], path)
        assert.match(refused.error?.message ?? '', new RegExp(`cannot read ${word}\\.$`))
      }
      assert.equal((await place.calls()).length, 0, 'nothing was started')
      await setModalities(place, [modality])
      const tried = await place.build({ attachments: [KEY] })
      // The bytes cannot be fetched, so the build fails with that reason before the model is called.
      assert.deepEqual([tried.status, tried.error?.code], [503, 'unavailable'])
      assert.match(
        tried.error?.message ?? '',
        /^The attachment is kept in the cloud account gone, which is not connected\./,
      )
    })
  }

  test('attachments of a message to a running build are checked against the model of that build', async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject([{ ...GREEN[0], delayMs: 3_000 }, ...GREEN])
    await insertFinalized(place, 'image/png')
    const built = place.build()
    await place.until(async () => (await place.calls()).length === 1)
    const steerBuild = (attachments: string[]) =>
      place.call(`POST /tickets/${place.ticketId}/build/steer`, { text: 'like this', attachments })
    const refused = await steerBuild([KEY])
    assert.deepEqual([refused.status, refused.error?.code], [412, 'attachments_unsupported'])
    assert.equal((await steerBuild(['_prompt/none'])).status, 400)
    assert.equal((await built).data['status'], 'built')
  })

  test('attachments of a message to the planning agent are validated and stored with the message', async () => {
    leaves({ activity: { 'model.updated': 1 } })
    const place = await world.openProject([{ text: 'Nice.', repeat: true }])
    await insertFinalized(place, 'image/png')
    const sendMessage = (attachments: string[], route = 'POST /plan/message') =>
      place.call(route, { text: 'Look', attachments })
    assert.equal((await sendMessage(['_prompt/none'])).status, 400)
    for (const route of ['POST /plan/message', 'POST /plan/stream']) {
      const refused = await sendMessage([KEY], route)
      assert.deepEqual([refused.status, refused.error?.code], [412, 'attachments_unsupported'], route)
    }
    await setModalities(place, ['images'])
    const tried = await sendMessage([KEY])
    assert.deepEqual([tried.status, tried.error?.code], [503, 'unavailable'])
    const retried = await place.call('POST /plan/retry', {})
    assert.deepEqual([retried.status, retried.error?.code], [503, 'unavailable'])
    const thread = await place.get<{ items: { role: string; attachments: string[] }[] }>('/plan/messages')
    assert.deepEqual(
      thread.data.items.map(({ role, attachments }) => [role, attachments]),
      [
        ['agent', []],
        ['user', [KEY]],
      ],
    )
    assert.equal((await place.calls()).length, 0, 'the model was not asked without the picture')
  })

  test('the retry of a failed planning reply is refused when the newly chosen model cannot read the attachments', async () => {
    leaves({ activity: { 'model.updated': 2 } })
    const place = await world.openProject([{ text: 'Nice.', repeat: true }])
    await insertFinalized(place, 'image/png')
    await setModalities(place, ['images'])
    await place.call('POST /plan/message', { text: 'Look', attachments: [KEY] })
    await setModalities(place, [])
    const readThread = async () => (await place.get('/plan/messages')).data
    const before = await readThread()
    for (const [path, body] of [
      ['/plan/retry', {}],
      ['/plan/stream', { retry: true }],
    ] as const) {
      const refused = await place.call(`POST ${path}`, body)
      assert.deepEqual([refused.status, refused.error?.code], [412, 'attachments_unsupported'], path)
      assert.match(refused.error?.message ?? '', /cannot read images\.$/)
    }
    assert.deepEqual(await readThread(), before)
    assert.equal((await place.calls()).length, 0)
  })

  const captureWith = (place: BuildProject, attachments: string[]) =>
    place.call<{ id: string; attachments: string[] }>('POST /tickets/capture', {
      text: 'It should look like this',
      attachments,
    })

  test('a ticket made from a sentence and a picture needs a model that reads images, and is never built without the picture', async () => {
    leaves({
      events: { 'ticket.created': 1, 'ticket.updated': 1, 'ticket.build.failed': 2 },
      activity: { 'model.updated': 1 },
      jobs: { build: 2 },
    })
    const place = await world.openProject([{ text: '{}', repeat: true }])
    await insertFinalized(place, 'image/png')
    const unknown = await captureWith(place, ['_prompt/none'])
    assert.deepEqual([unknown.status, unknown.error?.code], [400, 'invalid_request'])
    const unread = await captureWith(place, [KEY])
    assert.deepEqual([unread.status, unread.error?.code], [412, 'attachments_unsupported'])
    await setModalities(place, ['images'])
    const captured = await captureWith(place, [KEY])
    assert.deepEqual(captured.data.attachments, [KEY], String(captured.error?.message))
    const asked = (await place.calls()).length
    for (const _attempt of [1, 2])
      assert.deepEqual(
        (await place.call(`POST /tickets/${captured.data.id}/build`, {})).error?.code,
        'unavailable',
      )
    assert.equal((await place.calls()).length, asked, 'the model was not asked without the picture')
  })

  test("a new list of attachment keys replaces a ticket's attachments, and an unknown key is refused with the field's name", async () => {
    leaves({
      events: { 'ticket.created': 1, 'ticket.updated': 3 },
      activity: {},
      jobs: { build: 1 },
    })
    const [place, other] = [
      await world.openProject([{ text: '{}', repeat: true }]),
      await world.openProject(GREEN),
    ]
    await insertFinalized(place, 'image/png')
    const { id } = (await place.call<{ id: string }>('POST /tickets', { title: 'Look like this' })).data
    const patchAttachments = (attachments: string[], at = place, ticketId = id) =>
      at.call<{ attachments: string[] }>(`PATCH /tickets/${ticketId}`, { attachments })
    // The key of an attachment of another project is refused like an unknown key.
    for (const refused of [
      await patchAttachments([KEY, `_prompt/${'cd'.repeat(32)}`]),
      await patchAttachments([KEY], other, other.ticketId),
    ]) {
      assert.equal(refused.status, 400)
      assert.match(refused.error?.message ?? '', /^attachments: /)
    }
    assert.deepEqual((await patchAttachments([KEY, KEY])).data.attachments, [KEY])
    const unread = await place.call(`POST /tickets/${id}/build`, {})
    assert.deepEqual([unread.status, unread.error?.code], [412, 'attachments_unsupported'])
    assert.deepEqual((await patchAttachments([])).data.attachments, [])
    assert.equal((await place.call(`POST /tickets/${id}/build`, {})).status, 200)
  })

  test('a queued ticket with a picture that the model cannot read leaves the queue, and the reason is shown', async () => {
    leaves({
      events: { 'ticket.created': 1, 'ticket.updated': 1 },
      activity: { 'model.updated': 2 },
      jobs: { build: 1 },
    })
    const place = await world.openProject([{ text: '{}', repeat: true }])
    await insertFinalized(place, 'image/png')
    await setModalities(place, ['images'])
    const { id } = (await captureWith(place, [KEY])).data
    await setModalities(place, [])
    await place.call('POST /build/queue', { ticketIds: [id, place.ticketId] })
    await place.until(async () => (await place.get<{ total: number }>('/runs')).data.total === 1)
    const runs = await place.get<{ items: { ticketId: string }[] }>('/runs')
    assert.deepEqual(
      runs.data.items.map(({ ticketId }) => ticketId),
      [place.ticketId],
    )
    const ticket = await place.get<{ build: object }>(`/tickets/${id}`)
    assert.deepEqual(ticket.data.build, {
      state: 'idle',
      runId: null,
      outcome: null,
      refused: 'attachments',
    })
  })
})
