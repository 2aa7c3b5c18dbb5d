import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type RawCall, modelResponse } from '../support/raw-model.ts'
import * as texts from './hostile-texts.ts'
import { HostileWorld, assertSettled, calls, remove, write } from './hostile-world.ts'

const finish: RawCall = { name: 'finish', args: { summary: 'Done.' } }
const editCall = (path: string, old: string, text: string, all?: true): RawCall => ({
  name: 'edit_file',
  args: { path, old, new: text, ...(all === undefined ? {} : { all }) },
})
const searchCall = (args: object): RawCall => ({ name: 'search', args })

/** Single tool calls that once blocked the whole service. The names describe their inputs. */
const ATTACKS: { name: string; calls: RawCall[]; more?: RawCall[] }[] = [
  {
    name: 'CSS nested 20,000 levels deep',
    calls: [write('web/deep.css', texts.nestedCss(20_000)), remove('web/deep.css')],
  },
  {
    name: 'a search text of 45,000 lines for a file of 90,000',
    calls: [
      write('shared/long.txt', 'a\n'.repeat(90_000)),
      editCall('shared/long.txt', `${'a\n'.repeat(44_999)}b\n`, 'c'),
      remove('shared/long.txt'),
    ],
  },
  {
    name: 'a text that occurs 60,000 times',
    calls: [
      write('shared/long.txt', 'ab\n'.repeat(60_000)),
      editCall('shared/long.txt', 'a', 'c'),
      remove('shared/long.txt'),
    ],
  },
  {
    name: 'replacements that grow a small file to 300 MB and to 10 GB',
    calls: [
      write('shared/small.txt', 'a\n'.repeat(1_000)),
      editCall('shared/small.txt', 'a', 'b'.repeat(300_000), true),
      remove('shared/small.txt'),
      write('shared/many.txt', 'a'.repeat(100_000)),
      editCall('shared/many.txt', 'a', 'b'.repeat(100_000), true),
      remove('shared/many.txt'),
    ],
  },
  {
    name: 'file patterns with 15 groups of alternatives, stars and extended groups',
    calls: [
      searchCall({ pattern: 'a', glob: texts.braceGlob(15) }),
      searchCall({ pattern: 'a', glob: `${'*a'.repeat(60)}b` }),
      searchCall({ pattern: 'a', glob: `${'**/'.repeat(60)}x` }),
      searchCall({ pattern: 'a', glob: texts.nested('+(a|', 30, ')', 'b') }),
      searchCall({ pattern: 'a', glob: `{1..${'9'.repeat(9)}}` }),
    ],
  },
  {
    name: 'code, markup and data nested deeper than a parser can follow',
    calls: [
      write('shared/deep.ts', `export const a = ${texts.nested('(', 60_000, ')', '1')}\n`),
      write('web/deep.tsx', `export const a = ${texts.nested('<a>', 20_000, '</a>')}\n`),
      write('shared/list.ts', `export const a = ${texts.nested('[', 60_000, ']')}\n`),
      write('shared/not.ts', `export const a = ${'!'.repeat(150_000)}1\n`),
      ...['shared/deep.ts', 'web/deep.tsx', 'shared/list.ts', 'shared/not.ts'].map(remove),
    ],
    more: [
      write('shared/sum.ts', `export const a = ${'1+'.repeat(60_000)}1\n`),
      write('shared/type.ts', `export type A = ${texts.nested('Array<', 15_000, '>', '1')}\n`),
      write('public/deep.json', texts.nested('[', 80_000, ']')),
      write('public/deep.svg', texts.nested('<g>', 20_000, '</g>')),
      ...['shared/sum.ts', 'shared/type.ts', 'public/deep.json', 'public/deep.svg'].map(remove),
    ],
  },
  {
    name: 'TypeScript that a parser reads in exponential time',
    calls: [write('shared/slow.ts', texts.exponentialTypeScript(25)), remove('shared/slow.ts')],
  },
]

/** App files with texts that are slow to process. The check compiles, bundles, starts and tests them. */
const CHECKED: { name: string; files: RawCall[] }[] = [
  {
    name: 'template literal types of ten thousand names each',
    files: [write('shared/bomb.ts', texts.typeBomb(90_000))],
  },
  {
    name: 'nested code and styles, and TypeScript of exponential time',
    files: [
      write('web/styles2.css', texts.nestedCss(20_000)),
      write('shared/deep.ts', `export const a = ${texts.nested('(', 60_000, ')', '1')}\n`),
      write('shared/slow.ts', texts.exponentialTypeScript(25)),
      write('web/deep.tsx', `export const a = ${texts.nested('<a>', 20_000, '</a>')}\n`),
    ],
  },
  {
    name: 'sums, negations, chains and choices of many thousand parts',
    files: [
      write('shared/sum.ts', `export const a = ${'1+'.repeat(60_000)}1\n`),
      write('shared/not.ts', `export const a = ${'!'.repeat(100_000)}1\n`),
      write('shared/chain.ts', `export const a = (b: any) => b${'.a'.repeat(50_000)}\n`),
      write('shared/choice.ts', `export const a = (b: number) => ${'b ? 1 : '.repeat(10_000)}2\n`),
      write('shared/else.ts', `export function a(b: number) { ${'if (b) b++; else '.repeat(5_000)}b-- }\n`),
    ],
  },
]

describe('a single tool call does not block the service for other callers', () => {
  let world: HostileWorld
  before(async () => {
    world = await HostileWorld.open()
  })
  after(() => world.close())
  beforeEach(() => world.revive())

  for (const { name, calls: made, more = [] } of ATTACKS) {
    test(`a tool of the build agent that is called with ${name} returns a result, and other requests are not delayed`, async (t) => {
      const place = await world.openProject()
      const played = await world.withstands(t, () => world.build(place, [calls(...made), calls(...more)]))
      assertSettled(played)
      assert.equal(played.tools.length, made.length + more.length, JSON.stringify(played.last))
    })
  }

  test('a search of the planning agent whose glob has 15 brace groups such as {a,b1} does not delay other requests', async (t) => {
    const place = await world.openProject()
    // The pattern takes long only when there is a file to match.
    const built = await world.build(place, [calls(write('shared/a.ts', 'export const a = 1\n'), finish)])
    assert.equal(built.last?.['status'], 'built', JSON.stringify(built.last))
    const glob = texts.braceGlob(15)
    const played = await world.withstands(t, () =>
      world.plan(place, [calls(searchCall({ pattern: 'a', glob }))]),
    )
    assert.equal(played.tools.length, 1)
    assertSettled(played)
  })

  test("forty slow regular expression searches in one model response do not exceed a build's time limit", async (t) => {
    const place = await world.openProject({ minutes: 0.1 })
    // Put a successful call after each search, because too many failed calls in a row would end the run.
    const slow = Array.from({ length: 40 }, (_, i) => [
      searchCall({ pattern: `^(a+)+${'b'.repeat(i + 1)}$`, regex: true, glob: 'shared/*' }),
      { name: 'list_files', args: { under: `folder${i}` } },
    ]).flat()
    const played = await world.withstands(t, () =>
      world.build(place, [calls(write('shared/a.txt', `${'a'.repeat(60)}!\n`), ...slow)]),
    )
    assertSettled(played)
    // A pattern may take one second, and the time limit of the build is six seconds, so only a few searches can be slow.
    const taken = played.tools.filter((tool) => tool['name'] === 'search' && Number(tool['ms']) > 500)
    assert.ok(taken.length < 20, `${taken.length} searches were carried out`)
  })

  test('a build that changes every line of 150 files is committed and compared without delaying other requests', async (t) => {
    const place = await world.openProject()
    const paths = Array.from({ length: 150 }, (_, i) => `shared/list${i}.txt`)
    const inAnswers = (made: RawCall[]) =>
      Array.from({ length: Math.ceil(made.length / 30) }, (_, i) =>
        calls(...made.slice(i * 30, (i + 1) * 30)),
      )
    const linesOf = (letter: string) => `${letter}\n`.repeat(2_400)
    const first = await world.build(place, [
      ...inAnswers(paths.map((path) => write(path, linesOf('x')))),
      calls(finish),
    ])
    assert.equal(first.last?.['status'], 'built', JSON.stringify(first.last))
    await world.withstands(t, async () => {
      const second = await world.build(place, [
        ...inAnswers(paths.map((path) => editCall(path, 'x', 'y', true))),
        calls(finish),
      ])
      assert.equal(second.last?.['status'], 'built', JSON.stringify(second.last))
      const changed = second.last?.['changed'] as { path: string; added: number; removed: number }[]
      assert.equal(changed.length, 150)
      const diff = await world.ann.call<{ files: { added: number; removed: number }[] }>(
        `GET ${place.project}/versions/${String(second.last?.['sha'])}/diff`,
      )
      assert.equal(diff.files.length, 150)
      for (const file of [...changed, ...diff.files])
        assert.deepEqual([file.added, file.removed], [2_400, 2_400])
    })
  })

  for (const { name, files } of CHECKED) {
    test(`the check of an app with ${name} ends in time, and other requests are not delayed`, async (t) => {
      const place = await world.openProject()
      const played = await world.withstands(t, () =>
        world.build(place, [
          calls(...files),
          calls({ name: 'check', args: {} }),
          modelResponse({ text: 'Done.' }),
        ]),
      )
      assertSettled(played)
      assert.equal(played.tools.filter((tool) => tool['name'] === 'check').length, 1)
    })
  }

  test('no process uses the CPU fifteen seconds after the last build with hostile tool calls', () =>
    world.assertIdle())
})
