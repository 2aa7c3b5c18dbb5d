import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Frame, framesOf } from '../support/frames.ts'
import { type ScriptedStep, finish, write } from '../support/scripted-model.ts'
import {
  type BuildWorld,
  LONG,
  MIDDLE,
  buildWorld,
  A_BUILD,
  A_FAILED_BUILD,
  A_GREEN_BUILD,
} from './build-world.ts'
import { leaves } from '../../server/testing/effects.ts'

let world: BuildWorld
const WRITE = { toolCalls: [write('shared/plants.ts', 'export const plants = 3\n')] }
const FINISH = { toolCalls: [finish()] }
const forEver = (step: ScriptedStep) => [{ ...step, repeat: true }]

/** Faults that end a run: the responses of the model, the kind of the error, and a pattern for its message. */
const FATAL: [name: string, steps: ScriptedStep[], kind: string, message: RegExp][] = [
  ['a refused key', forEver({ fault: 'http_401' }), 'model_error', /refused the key \(401\)/],
  [
    'a rate limit that asks for minutes',
    forEver({ fault: { kind: 'http_429', retryAfter: 600 } }),
    'rate_limited',
    /429/,
  ],
  ['a rate limit that stays', forEver({ fault: { kind: 'http_429', retryAfter: 0 } }), 'rate_limited', /429/],
  ['a stream that is cut every time', forEver({ text: 'half', fault: 'cut' }), 'model_error', /was cut off/],
  ['an overloaded provider', forEver({ fault: { kind: 'http_529', retryAfter: 0 } }), 'model_error', /529/],
  ['a prompt that does not fit', forEver({ fault: 'context_400' }), 'context_limit', /window/],
  ['a page instead of a stream', forEver({ fault: 'html_200' }), 'model_error', /./],
  [
    'malformed arguments every time',
    forEver({ ...WRITE, fault: 'bad_json' }),
    'model_error',
    /invalid tool calls/,
  ],
  [
    'a tool that does not exist',
    forEver({ ...WRITE, fault: 'unknown_tool' }),
    'model_error',
    /invalid tool calls/,
  ],
  [
    'an endless loop of one call',
    forEver({ toolCalls: [{ name: 'list_files', args: {} }] }),
    'stuck',
    /same call/,
  ],
  ['a model that never stops writing', forEver({ fault: 'endless' }), 'model_error', /did not stop/],
]

/** Faults that a run recovers from, with the number of retries. */
const SURVIVED: [fault: ScriptedStep['fault'], retries: number][] = [
  ['cut', 1],
  ['no_finish', 1],
  ['empty', 1],
  ['error_in_stream', 1],
  [{ kind: 'http_429', retryAfter: 0 }, 1],
  ['http_500', 1],
  ['no_index', 0],
  ['same_ids', 0],
  ['empty_ids', 0],
  ['no_usage', 0],
  [{ kind: 'slow', perSecond: 200 }, 0],
]

describe('failures during a build', () => {
  before(async () => {
    world = await buildWorld()
  })
  after(() => world.close())

  describe('a model that fails', () => {
    for (const [name, steps, kind, message] of FATAL) {
      test(`in the case of ${name}, a build fails with the error kind ${kind}, and main is unchanged`, async () => {
        leaves(A_FAILED_BUILD)
        const place = await world.openProject([...(kind === 'stuck' ? [] : [WRITE]), ...steps])
        const frames = await place.stream()
        const last = frames.at(-1)
        assert.equal(last?.type, 'error', JSON.stringify(last))
        assert.equal(last['kind'], kind, JSON.stringify(last))
        assert.match(String(last['message']), message)
        assert.equal((await place.get('/source')).data, null)
        const run = await place.get<{ items: { status: string; error: { kind: string } }[] }>('/runs')
        assert.deepEqual(
          run.data.items.map((item) => [item.status, item.error.kind]),
          [['failed', kind]],
        )
        const builds = (await place.events()).filter((type) => type.startsWith('ticket.build'))
        assert.deepEqual(builds, ['ticket.build.failed'])
      })
    }
  })

  describe('a temporary fault of the model', () => {
    for (const [fault, retries] of SURVIVED) {
      const name = typeof fault === 'string' ? fault : (fault as { kind: string }).kind
      test(`after one model call with the fault ${name}, a build succeeds with ${retries} retries`, async () => {
        leaves(A_GREEN_BUILD)
        const two = {
          toolCalls: [
            write('shared/a.ts', 'export const a = 1\n'),
            write('shared/b.ts', 'export const b = 2\n'),
          ],
        }
        // When the fault makes the run retry, the script has the same response again.
        const place = await world.openProject([{ ...two, fault }, ...(retries > 0 ? [two] : []), FINISH])
        const frames = await place.stream()
        assert.equal(frames.at(-1)?.['status'], 'built', JSON.stringify(frames.at(-1)))
        assert.equal(frames.filter((frame) => frame.type === 'retry').length, retries)
        const files = (await place.get<{ files: Record<string, string> }>('/source')).data.files
        assert.deepEqual(
          [files['shared/a.ts'], files['shared/b.ts']],
          ['export const a = 1\n', 'export const b = 2\n'],
        )
        const results = frames.filter((frame) => frame.type === 'tool').map((frame) => frame['id'])
        assert.equal(new Set(results).size, results.length, 'every call has an id of its own')
      })
    }
  })

  test('after a tool call was cut off by the output limit, the model is told to write smaller files, and the build continues', async () => {
    leaves(A_GREEN_BUILD)
    const place = await world.openProject([
      { ...WRITE, fault: 'length' },
      { ...WRITE, expect: { lastResult: 'smaller files' } },
      FINISH,
    ])
    assert.equal((await place.build()).data['status'], 'built')
  })

  test('tool calls that the model writes as text are treated as a text reply and change nothing', async () => {
    leaves(A_BUILD)
    const place = await world.openProject([{ ...WRITE, fault: 'calls_as_text' }])
    assert.equal((await place.build()).data['status'], 'replied')
    assert.equal((await place.get('/source')).data, null)
  })

  test('the next build of a ticket starts from the files of its failed build', async () => {
    leaves({
      events: { 'ticket.updated': 2, 'ticket.build.failed': 1, 'ticket.build.succeeded': 1 },
      jobs: { build: 2 },
    })
    const place = await world.openProject([WRITE, { fault: 'http_401' }])
    assert.equal((await place.build()).error?.code, 'model_error')
    await place.script([{ ...FINISH, expect: { lastUser: 'The last build of this ticket failed' } }])
    const built = await place.build<{ status: string; files: Record<string, string> }>()
    assert.equal(built.data.status, 'built', JSON.stringify(built.error))
    assert.equal(built.data.files['shared/plants.ts'], 'export const plants = 3\n')
  })

  test('a request that waits for a build gets 502 with the kind of the error when the build fails', async () => {
    leaves(A_FAILED_BUILD)
    const place = await world.openProject([{ fault: { kind: 'http_429', retryAfter: 600 } }])
    const answer = await place.build()
    assert.deepEqual([answer.status, answer.error?.code], [502, 'model_error'])
    assert.match(answer.error?.message ?? '', /^rate_limited: /)
  })

  test('requests that wait for a build end when its project is deleted while the build is running', async () => {
    leaves(A_BUILD)
    const place = await world.openProject([LONG])
    const goOn = place.hold(MIDDLE)
    const building = place.build()
    await place.until(async () => (await place.calls()).length > 0)
    const watched = await world.person.raw(`POST ${place.route}/stream`, {
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    await world.app.platform.db.deleteFrom('projects').where('id', '=', place.projectId).execute()
    const frames = await Array.fromAsync(framesOf(watched))
    const { status, error } = await building
    goOn()
    assert.deepEqual([frames[0]?.type, status, error?.code], ['run', 404, 'not_found'])
  })

  test('build usage is estimated and marked as estimated when the model provider sends none', async () => {
    leaves(A_BUILD)
    const place = await world.openProject([{ text: 'Nothing to do.', fault: 'no_usage' }])
    const frames: Frame[] = await place.stream()
    const rows = await world.app.platform.db
      .selectFrom('token_usage')
      .select(['input', 'estimated'])
      .where('project_id', '=', place.projectId)
      .execute()
    assert.deepEqual(
      rows.map((row) => row.estimated),
      [true],
    )
    assert.equal(frames.find((frame) => frame.type === 'usage')?.['input'], rows[0]?.input)
  })

  test('a build ends with the error step_limit at the step limit of its model connection', async () => {
    leaves(A_FAILED_BUILD)
    const steps = Array.from({ length: 5 }, (_, n) => ({
      toolCalls: [write('shared/a.ts', `export const a = ${n}\n`)],
    }))
    const place = await world.openProject(steps, { limits: { steps: 3 } })
    const frames = await place.stream()
    assert.equal(frames.at(-1)?.['kind'], 'step_limit')
    assert.equal((await place.calls()).length <= 5, true)
  })
})
