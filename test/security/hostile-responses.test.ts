import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { watchHealth } from '../support/health-watch.ts'
import type { RawCall } from '../support/raw-model.ts'
import { HOSTILE_RESPONSES } from './hostile-responses.ts'
import {
  HostileWorld,
  type HostileBuild,
  assertHealthy,
  assertSettled,
  calls,
  remove,
  write,
} from './hostile-world.ts'

/** A tool call whose arguments have the largest allowed size, and tool calls that exceed this size. */
type AtTheCap = [most: RawCall, ...tooMuch: RawCall[]]

const rawCall = (name: string, args: object): RawCall => ({ name, args })
const editCall = (path: string, old: string, text: string): RawCall =>
  rawCall('edit_file', { path, old, new: text, all: true })
const fileOfSize = (bytes: number) => `${'x'.repeat(bytes - 1)}\n`
const deepPath = (folders: number) => `web/${'a/'.repeat(folders - 1)}a.ts`
const longPath = (length: number) => `web/${'a'.repeat(length - 7)}.ts`

const BUILD: AtTheCap[] = [
  [rawCall('list_files', { under: 'x'.repeat(100_000) })],
  [rawCall('search', { pattern: 'x'.repeat(200) }), rawCall('search', { pattern: 'x'.repeat(201) })],
  [
    rawCall('search', { pattern: '(x|y)'.repeat(40), regex: true }),
    rawCall('search', { pattern: `${'(x|y)'.repeat(40)}x`, regex: true }),
  ],
  [
    rawCall('read_file', { path: 'app.json', from: 1, to: 2 ** 53 - 1 }),
    rawCall('read_file', { path: 'app.json', from: 1_000 }),
  ],
  [write('shared/most.txt', fileOfSize(200_000)), write('shared/more.txt', fileOfSize(200_001))],
  [rawCall('read_file', { path: 'shared/most.txt' }), rawCall('read_file', { path: 'x'.repeat(100_000) })],
  [rawCall('search', { pattern: 'x' })],
  [remove('shared/most.txt'), remove('shared/most.txt')],
  [write('shared/wide.txt', '€'.repeat(66_666)), write('shared/wider.txt', '€'.repeat(66_667))],
  [remove('shared/wide.txt')],
  [write('shared/lines.txt', '\n'.repeat(200_000))],
  [rawCall('list_files', { under: 'a' }), write('shared/empty.txt', '\n'.repeat(200_001))],
  [rawCall('read_file', { path: 'shared/lines.txt', from: 199_999 })],
  [editCall('shared/lines.txt', '\n', '\r\n'.repeat(1)), editCall('shared/lines.txt', '\n', 'a\n')],
  [remove('shared/lines.txt')],
  [write('shared/grow.txt', 'a'.repeat(1_000)), editCall('shared/none.txt', 'a', 'b')],
  [editCall('shared/grow.txt', 'a', 'b'.repeat(199)), editCall('shared/grow.txt', 'b', 'cc')],
  [remove('shared/grow.txt')],
  [write(deepPath(7), 'export {}'), write(deepPath(8), 'export {}')],
  [write(longPath(120), 'export {}'), write(longPath(121), 'export {}')],
  [remove(deepPath(7))],
  [remove(longPath(120))],
  [rawCall('logs', { anything: 'x'.repeat(10_000) })],
  [rawCall('rename_project', { name: 'x'.repeat(60) }), rawCall('rename_project', { name: 'x'.repeat(61) })],
  [rawCall('list_files', {}), rawCall('enable_capability', { key: 'x'.repeat(10_000) })],
]

const FINISH: AtTheCap = [
  rawCall('finish', { summary: 'x'.repeat(4_000) }),
  rawCall('finish', { summary: 'x'.repeat(4_001) }),
]

const makeQuestion = (options: number, letters: number) => ({
  id: 'q'.repeat(40),
  question: 'x'.repeat(500),
  options: Array.from({ length: options }, (_, n) => `${n}`.padEnd(letters, 'x')),
  default: '1'.padEnd(letters, 'x'),
})
const askQuestions = (count: number, options = 5, letters = 200) =>
  rawCall('ask_user', {
    questions: Array.from({ length: count }, (_, n) => ({ ...makeQuestion(options, letters), id: `q${n}` })),
  })

const PLAN: AtTheCap[] = [
  [rawCall('search_tickets', { q: 'x'.repeat(100) }), rawCall('search_tickets', { q: 'x'.repeat(101) })],
  [rawCall('list_tickets', {}), rawCall('list_tickets', { cursor: 'x'.repeat(100_000) })],
  [
    rawCall('list_tickets', { parent: 'x'.repeat(100_000) }),
    rawCall('read_ticket', { id: 'x'.repeat(100_000) }),
  ],
  [
    rawCall('create_ticket', {
      title: 'x'.repeat(200),
      body: 'x'.repeat(65_536),
      labels: makeLabels(20, 50),
    }),
    rawCall('create_ticket', { title: 'x'.repeat(201) }),
    rawCall('create_ticket', { title: 'body', body: 'x'.repeat(65_537) }),
    rawCall('create_ticket', { title: 'labels', labels: makeLabels(21, 5) }),
    rawCall('create_ticket', { title: 'label', labels: makeLabels(1, 51) }),
  ],
  [
    rawCall('write_readme', { text: 'x'.repeat(32_000) }),
    rawCall('write_readme', { text: 'x'.repeat(32_001) }),
    rawCall('update_ticket', { id: 'x'.repeat(100_000), title: 'y' }),
  ],
  [rawCall('list_files', {}), rawCall('search', { pattern: 'x'.repeat(201) })],
]

function makeLabels(count: number, letters: number): string[] {
  return Array.from({ length: count }, (_, n) => `${n}`.padEnd(letters, 'x'))
}

/** Asserts that tool calls at the limit were executed, and that larger ones were refused with a reason. */
function assertCapped({ tools, last }: HostileBuild, played: AtTheCap[]): void {
  const wanted = played.flatMap(([most, ...tooMuch]) => [
    [most.name, true],
    ...tooMuch.map(({ name }) => [name, false]),
  ])
  assert.deepEqual(
    tools.map((tool) => [tool['name'], tool['ok']]),
    wanted,
    JSON.stringify([last, tools.map((tool) => tool['result'])]),
  )
}

describe('a model that sends arbitrary responses', () => {
  let world: HostileWorld
  let watch: ReturnType<typeof watchHealth>
  let pid = 0
  before(async () => {
    world = await HostileWorld.open()
    pid = world.service.pid
    watch = watchHealth({ url: world.service.url, pid })
  })
  after(() => world.close())

  // One process runs this many builds at a time.
  describe('hostile responses end only their own build', { concurrency: 4 }, () => {
    for (const { name, answer, expect } of HOSTILE_RESPONSES) {
      test(`a build ends with a valid record after the model responds with ${name}`, async () => {
        const place = await world.openProject()
        const played = await world.build(place, [answer])
        assertSettled(played)
        expect?.(played)
        const { items } = await world.ann.call<{ items: { usage: object }[] }>(`GET ${place.project}/runs`)
        const { total } = await world.ann.call<{ total: object }>(`GET ${place.project}/usage`)
        for (const count of [items[0]?.usage ?? {}, total].flatMap((cost) => Object.values(cost)))
          assert.ok(
            typeof count === 'boolean' || (count >= 0 && count < 1e10),
            JSON.stringify(items[0]?.usage),
          )
      })
    }

    test('every tool of the build agent accepts input of its maximum size and refuses larger input', async () => {
      const place = await world.openProject()
      const answers = [...BUILD.map((made) => calls(...made)), calls(...FINISH.toReversed())]
      const played = await world.build(place, answers)
      assertSettled(played)
      const [most, tooMuch] = FINISH
      const inOrder: [string, boolean][] = [
        [tooMuch?.name ?? '', false],
        [most.name, true],
      ]
      assertCapped({ ...played, tools: played.tools.slice(0, -2) }, BUILD)
      assert.deepEqual(
        played.tools.slice(-2).map((tool) => [tool['name'], tool['ok']]),
        inOrder,
      )
      assert.equal(played.last?.['status'], 'replied')
    })

    test('a build can ask at most three questions with five options each, and their length is limited', async () => {
      const place = await world.openProject()
      const refused = [askQuestions(4), askQuestions(1, 6), askQuestions(1, 5, 201)]
      const played = await world.build(place, [calls(...refused), calls(askQuestions(3))])
      assert.deepEqual(
        played.tools.map((tool) => tool['ok']),
        [false, false, false, true],
      )
      assert.equal(played.last?.['status'], 'awaiting')
    })

    test('a build can write at most 200 files and 2 MB', async () => {
      const place = await world.openProject()
      const many = Array.from({ length: 194 }, (_, n) => write(`shared/f${n}.txt`, 'x'))
      const large = Array.from({ length: 11 }, (_, n) => [
        remove(`shared/f${n}.txt`),
        write(`shared/f${n}.txt`, 'a'.repeat(1_000)),
        editCall(`shared/f${n}.txt`, 'a', 'b'.repeat(190)),
      ]).flat()
      const inParts = (made: RawCall[]) =>
        Array.from({ length: Math.ceil(made.length / 40) }, (_, i) =>
          calls(...made.slice(i * 40, (i + 1) * 40)),
        )
      const played = await world.build(place, [
        ...inParts(many),
        ...inParts(large),
        calls(...Array.from({ length: 40 }, (_, n) => remove(`shared/f${n}.txt`))),
      ])
      assertSettled(played)
      const refused = played.tools.filter((tool) => tool['ok'] === false)
      assert.deepEqual(
        refused.map((tool) => tool['error']),
        ['too_large', 'too_large'],
      )
    })

    test('every tool of the planning agent accepts input of its maximum size and refuses larger input', async () => {
      const place = await world.openProject()
      const played = await world.plan(
        place,
        PLAN.map((made) => calls(...made)),
      )
      assertSettled(played)
      assertCapped(played, PLAN)
    })

    test('one reply of the planning agent writes at most fifty tickets', async () => {
      const place = await world.openProject()
      const made = Array.from({ length: 60 }, (_, n) => rawCall('create_ticket', { title: `Ticket ${n}` }))
      const played = await world.plan(place, [calls(...made.slice(0, 30)), calls(...made.slice(30))])
      assertSettled(played)
      assert.equal(played.tools.filter((tool) => tool['ok'] === true).length, 50)
    })

    test('a planning reply with NUL, lone surrogates, 10,000 tool calls or an impossible token price causes no internal error', async () => {
      const place = await world.openProject()
      const hostile = ['NUL and lone surrogates in a text', '10,000 calls of tools that do not exist']
      for (const { name, answer } of HOSTILE_RESPONSES) {
        if (!hostile.includes(name) && !name.startsWith('a cost of')) continue
        assertSettled(await world.plan(place, [answer]))
      }
    })

    test('while a model sends hostile responses, another organization completes three builds', async () => {
      for (let builds = 0; builds < 3; builds++) await world.neighbourBuilds()
    })
  })

  test('during hostile model responses /health responds in time, and the process stays within its memory limit', async (t) => {
    const health = await watch.stop()
    t.diagnostic(JSON.stringify(health))
    assert.equal(world.service.pid, pid)
    assertHealthy(health)
  })

  test('no process uses the CPU fifteen seconds after the last build with hostile model responses', () =>
    world.assertIdle())
})
