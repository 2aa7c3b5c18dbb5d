import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { finish, write } from '../support/scripted-model.ts'
import { type BuildWorld, buildWorld } from './build-world.ts'
import { leaves } from '../../server/testing/effects.ts'

const PLANTS = `export const plants = ['Ficus', 'Fern']\n`
const TEST = `import { expect, test } from '@slipway/app/testing'
import { plants } from '../shared/plants'

test('two plants are listed', () => {
  expect(plants.length).toBe(2)
})
`

describe('a second ticket of a project', () => {
  let world: BuildWorld
  before(async () => {
    world = await buildWorld()
  })
  after(() => world.close())

  test('a second build that breaks a test of the first build fails, and the error names the test', async () => {
    leaves({
      events: { 'ticket.updated': 2, 'ticket.build.failed': 1, 'ticket.build.succeeded': 1 },
      jobs: { build: 2 },
    })
    const place = await world.openProject([
      { toolCalls: [write('shared/plants.ts', PLANTS), write('tests/plants.test.ts', TEST)] },
      { toolCalls: [finish()] },
    ])
    const first = await place.build<{ status: string; sha: string }>()
    assert.equal(first.data.status, 'built', JSON.stringify(first.error))
    const edit = { path: 'shared/plants.ts', old: `, 'Fern'`, new: '' }
    await place.script([
      { toolCalls: [{ name: 'edit_file', args: edit }, finish()] },
      { text: 'I leave it at that.', expect: { lastResult: 'two plants are listed' } },
      { text: 'I leave it at that.' },
    ])
    const second = await place.build()
    assert.deepEqual([second.status, second.error?.code], [502, 'model_error'])
    assert.equal(
      second.error?.message,
      'check_failed: The agent stopped although the app does not work yet: its test “two plants are listed” fails.',
    )
    const versions = await place.get<{ sha: string }[]>('/versions')
    assert.deepEqual(
      versions.data.map(({ sha }) => sha),
      [first.data.sha],
      'main stands where it stood',
    )
  })

  test("the prompt for a second ticket contains the first build's files, and the second build edits these files", async () => {
    leaves({ events: { 'ticket.updated': 2, 'ticket.build.succeeded': 2 }, jobs: { build: 2 } })
    const place = await world.openProject([
      { toolCalls: [write('shared/plants.ts', PLANTS), write('tests/plants.test.ts', TEST)] },
      { toolCalls: [finish()] },
    ])
    await place.build()
    await place.script([
      {
        expect: { tools: ['edit_file', 'check', 'finish'] },
        toolCalls: [{ name: 'edit_file', args: { path: 'shared/plants.ts', old: 'Fern', new: 'Palm' } }],
      },
      { toolCalls: [finish()] },
    ])
    const built = await place.build<{ status: string; files: Record<string, string> }>()
    assert.equal(built.data.status, 'built', JSON.stringify(built.error))
    assert.equal(built.data.files['shared/plants.ts'], `export const plants = ['Ficus', 'Palm']\n`)
    const [call] = await place.calls()
    assert.match(JSON.stringify(call?.request.messages), /'Ficus', 'Fern'/)
  })
})
