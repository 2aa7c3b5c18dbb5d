import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { finish, write } from '../support/scripted-model.ts'
import { type BuildWorld, type Place, buildWorld } from './build-world.ts'

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

  /** A file that was uploaded and finalized; its bytes are in an account that is not connected any more. */
  const finalized = (place: Place, mediaType: 'image/png' | 'application/pdf') =>
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
  const reads = (place: Place, modalities: string[]) =>
    world.person.call(`PATCH /connections/models/${place.modelConnectionId}`, { modalities })

  test('a key that is no attachment of the project is refused by name, and nothing starts', async () => {
    const [place, other] = [await world.openProject(GREEN), await world.openProject(GREEN)]
    await finalized(other, 'image/png')
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
    test(`a model that cannot read ${word} is 412 and says so; one that can is asked`, async () => {
      const place = await world.openProject(GREEN)
      await finalized(place, mediaType)
      const refused = await place.build({ attachments: [KEY] })
      assert.deepEqual([refused.status, refused.error?.code], [412, 'attachments_unsupported'])
      assert.match(refused.error?.message ?? '', new RegExp(`cannot read ${word}\\.$`))
      assert.equal((await place.calls()).length, 0, 'nothing was started')
      await reads(place, [modality])
      const tried = await place.build({ attachments: [KEY] })
      // The bytes are out of reach, so the build ends before the model is asked, and says why.
      assert.deepEqual([tried.status, tried.error?.code], [503, 'unavailable'])
      assert.match(tried.error?.message ?? '', /No cloud account is connected/)
    })
  }

  test('a correction is measured by the model of the build that runs', async () => {
    const place = await world.openProject([{ ...GREEN[0], delayMs: 3_000 }, ...GREEN])
    await finalized(place, 'image/png')
    const built = place.build()
    await place.until(async () => (await place.calls()).length === 1)
    const steer = (attachments: string[]) =>
      place.call(`POST /tickets/${place.ticketId}/build/steer`, { text: 'like this', attachments })
    const refused = await steer([KEY])
    assert.deepEqual([refused.status, refused.error?.code], [412, 'attachments_unsupported'])
    assert.equal((await steer(['_prompt/none'])).status, 400)
    assert.equal((await built).data['status'], 'built')
  })

  test('a message of the plan thread is measured and kept with its files', async () => {
    const place = await world.openProject([{ text: 'Nice.', repeat: true }])
    await finalized(place, 'image/png')
    const say = (attachments: string[]) => place.call('POST /plan/message', { text: 'Look', attachments })
    assert.equal((await say(['_prompt/none'])).status, 400)
    const refused = await say([KEY])
    assert.deepEqual([refused.status, refused.error?.code], [412, 'attachments_unsupported'])
    await reads(place, ['images'])
    const tried = await say([KEY])
    assert.deepEqual([tried.status, tried.error?.code], [503, 'unavailable'])
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

  test('what a sentence was captured with is kept and goes into every build of its ticket', async () => {
    const place = await world.openProject([{ text: '{}', repeat: true }])
    await finalized(place, 'image/png')
    const capture = (attachments: string[]) =>
      place.call('POST /tickets/capture', { text: 'It should look like this', attachments })
    const unknown = await capture(['_prompt/none'])
    assert.deepEqual([unknown.status, unknown.error?.code], [400, 'invalid_request'])
    // Capturing sends only the text, so a model that cannot see is no reason to lose the thought.
    const captured = await capture([KEY])
    assert.equal(captured.status, 200, String(captured.error?.message))
    const build = () => place.call(`POST /tickets/${String(captured.data['id'])}/build`, {})
    const asked = (await place.calls()).length
    const refused = await build()
    assert.deepEqual([refused.status, refused.error?.code], [412, 'attachments_unsupported'])
    await reads(place, ['images'])
    for (const _attempt of [1, 2]) assert.deepEqual((await build()).error?.code, 'unavailable')
    assert.equal((await place.calls()).length, asked, 'the model was not asked without the picture')
  })

  test('a queued ticket whose picture the model cannot read waits until another model is chosen', async () => {
    const place = await world.openProject([{ text: '{}', repeat: true }])
    await finalized(place, 'image/png')
    const captured = await place.call('POST /tickets/capture', { text: 'Like this', attachments: [KEY] })
    const ticketId = String(captured.data['id'])
    await place.call('POST /build/queue', { ticketIds: [ticketId] })
    const { platform } = world.app
    const restsUntil = async () => {
      const line = await platform.db
        .selectFrom('build_queue')
        .select('not_before')
        .where('org_id', '=', world.person.organizationId)
        .where('ticket_id', '=', ticketId)
        .executeTakeFirst()
      return line?.not_before ?? null
    }
    await place.until(async () => (await restsUntil()) !== null)
    const runs = await place.get<{ total: number }>('/runs')
    assert.equal(runs.data.total, 0)
  })
})
