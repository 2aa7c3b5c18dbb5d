import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { silentLog } from '../../../testing/database.ts'
import { descendants } from '../../../testing/processes.ts'
import { sampleTree } from '../../../testing/apps/sample-app.ts'
import { completeTree, starterTree } from '../../source/tree.ts'
import type { CheckError } from '../../check-report.ts'
import { openCheckers } from '../pool/pool.ts'
import { killPrograms, timeoutOnBusyMachine } from '../program.ts'
import { compileCold } from './cold.ts'
import { findCompiler } from './compiler.ts'
import { TypeServer } from './type-server.ts'
import { checkTypes } from './types.ts'
import { makeFolder, prepareFolder, TreeFolder } from '../folder.ts'

const pool = openCheckers({ size: 1, log: silentLog })
let folder = ''
const shown = (errors: readonly CheckError[]) =>
  errors
    .filter(({ file }) => !file.startsWith('platform/') || file.endsWith('.gen.ts'))
    .map(({ file, line, column, code, message }) => `${file}:${line}:${column} ${code} ${message}`)
    .sort((a, b) => a.localeCompare(b))

/** One file for each kind of finding: multi-byte letters, a chain of reasons, pages, records, null, pragmas. */
const WRONG = {
  'shared/greet.ts': `// ünïcode 🙂 日本\nexport const greet = (n: string): string => { const s: string = n.length; return s }\n`,
  'shared/chain.ts': `export const y: { a: { b: string } } = { a: { b: 1 } }\n`,
  'shared/twice.ts': `type X = 1\ntype X = 2\nexport const y = nothing\n`,
  'web/pages/About.tsx': `export const About = () => null\n`,
  'web/components/Colour.tsx': `import { useQuery } from '@slipway/app/react'\nexport const Colour = () => <p>{useQuery('plants').rows[0]?.colour}</p>\n`,
  'tests/null.test.ts': `import { test } from '@slipway/app/testing'\ntest('x', () => {\n  const list: string[] | undefined = Math.random() > 2 ? [] : undefined\n  list.length\n})\n`,
  'server/routes.ts': `import { Hono } from 'hono'\n// @ts-expect-error there is none\nexport const routes = new Hono()\n`,
}

/** An app whose records refer to each other, and server code that writes them. The marked lines are wrong. */
const COUNTED = JSON.stringify({
  slipway: 1,
  name: 'Counted',
  uses: ['data'],
  collections: {
    tags: {
      partition: 'app',
      read: 'public',
      write: 'nobody',
      fields: {
        name: { type: 'text', required: true, unique: true },
        uses: { type: 'integer', default: 0 },
        others: { type: 'list', ref: 'tags' },
      },
    },
    notes: {
      partition: 'app',
      read: 'public',
      write: 'nobody',
      fields: { tag: { type: 'ref', ref: 'tags' } },
    },
  },
})
const WRITES = `import { data } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/writes', async (c) => {
  const { system } = data
  const [tag, note, gone] = await system.tx([
    { op: 'create', collection: 'tags', id: data.newId(), fields: { name: 'a', others: [] } },
    { op: 'update', collection: 'notes', id: 'b', fields: { tag: null }, rev: 1 },
    { op: 'remove', collection: 'notes', id: 'c' },
  ])
  const texts: (string | null | undefined)[] = [tag?.name, note?.tag, gone]
  await system.upsert('tags', 'name', { name: 'a', uses: { increment: 1 } })
  await system.update('tags', 'a', { uses: { increment: 1 } })
  await system.increment('tags', 'a', 'uses', 2)
  for await (const one of system.all('tags', { where: { name: 'a' } })) texts.push(one.name)
  const made = await system.createMany('notes', [{ tag: null }])
  await system.increment('tags', 'a', 'name') // wrong
  await system.upsert('tags', 'uses', { name: 'a' }) // wrong
  await system.update('tags', 'a', { name: { increment: 1 } }) // wrong
  await system.tx([{ op: 'create', collection: 'notes', fields: { name: 'a' } }]) // wrong
  await system.createMany('tags', [{ uses: 1 }]) // wrong
  await system.count('tags', { uses: 1 }) // wrong
  return c.json({ texts, made, count: await system.count('tags', { name: 'a' }) })
})
`

/** Code that is valid with TypeScript's own types of `JSON`, but not with the stricter types of this project (json.d.ts). */
const STANDARD_JSON = `export const parsed: number = JSON.parse('1')
let text = JSON.stringify({ a: 1 })
text = 'another text'
export const last = text
// @ts-expect-error there is no such global type
export type Kept = JsonText<string>
`

/** Ways to make the compiler read a file outside the app. FILE is the file's path without the ending. */
const REACHING = [
  `import data from 'FILE.json'\nexport const x: number = data\n`,
  `import { secret } from 'FILE.ts'\nexport const x: number = secret\n`,
  `export const x: typeof import('FILE').secret = 5\n`,
  `/// <reference path="FILE.ts" />\nexport const x: number = 'x'\n`,
  `export { secret as x } from '\\u002f..FILE'\n`,
]

const NOTHING_MORE = {}
const TEXT_FOR_A_STRING = {
  'shared/a.ts': `export const a = '1'\n`,
  'shared/b.ts': `import { a } from './a'\nexport const b: string = a\n`,
}

/** Versions of one app. Errors appear and disappear in files that did not change. */
const LIFE: Record<string, string>[] = [
  NOTHING_MORE,
  WRONG,
  {
    'shared/a.ts': 'export const a = 1\n',
    'shared/b.ts': `import { a } from './a'\nexport const b: string = a\n`,
  },
  TEXT_FOR_A_STRING,
  { 'shared/b.ts': `import { a } from './a'\nexport const b: string = a\n` },
  {
    'shared/a/index.ts': 'export const a = true\n',
    'shared/b.ts': `import { a } from './a'\nexport const b: string = a\n`,
  },
  TEXT_FOR_A_STRING,
  {
    'shared/deep/er/global.d.ts': 'declare const leaked: string\n',
    'shared/b.ts': 'export const b: number = leaked\n',
  },
  { 'shared/b.ts': 'export const b: number = leaked\n' },
  { 'shared/greet.ts': 'export const greet = (n: number) => n\n' },
  WRONG,
  NOTHING_MORE,
]

const typeErrors = async (tree: ReturnType<typeof sampleTree>) => {
  const report = await pool.check(tree, { enabled: ['data'] })
  return report.checks.find((check) => check.name === 'types')?.errors ?? []
}

/** Compiles with a cold compiler in a new folder. Returns the errors that the warm compiler must find. */
async function compileFresh(tree: ReturnType<typeof sampleTree>): Promise<CheckError[]> {
  const written = new TreeFolder(makeFolder(folder))
  written.write(tree)
  return (await compileCold(tree, written.path, 60_000)) ?? []
}

describe('types of an app', () => {
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-types-'))
    prepareFolder(folder)
    // The check process may run as another account. It must be able to read the file outside the app, otherwise a refusal proves nothing.
    chmodSync(folder, 0o755)
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await pool.close()
  })

  test('the running type checker process finds exactly the errors that a new process finds', async () => {
    const tree = sampleTree(WRONG)
    const warm = await typeErrors(tree)
    const cold = await compileFresh(tree)
    for (const file of Object.keys(WRONG)) {
      const at = file === 'web/pages/About.tsx' ? 'platform/pages.gen.ts' : file
      assert.ok(
        warm.some((error) => error.file === at),
        `nothing found in ${at}`,
      )
    }
    assert.deepEqual(shown(warm), shown(cold))
  })

  test('after many versions of an app the running type checker process finds the same errors as a new process', async () => {
    process.env['SLIPWAY_COMPILER'] = findCompiler()
    const server = new TypeServer(folder)
    const written = new TreeFolder(makeFolder(folder))
    try {
      const expected = new Map<Record<string, string>, string[]>()
      for (const [n, version] of LIFE.entries()) {
        const tree = sampleTree(version)
        const warm = await server.check(tree, written.path, written.write(tree))
        const fresh = expected.get(version) ?? shown(await compileFresh(tree))
        expected.set(version, fresh)
        assert.deepEqual(shown(warm), fresh, `version ${n}`)
      }
    } finally {
      killPrograms('tsc')
    }
  })

  test("record writes, transactions, upserts and counters are type-checked against the app's fields", async () => {
    const tree = completeTree(
      new Map([...starterTree('Counted'), ['app.json', COUNTED], ['server/routes.ts', WRITES]]),
      new Set(['data']),
    )
    const errors = await typeErrors(tree)
    const wrong = WRITES.split('\n').flatMap((line, i) => (line.endsWith('// wrong') ? [i + 1] : []))
    assert.deepEqual(
      errors.map(({ file, line }) => `${file}:${line}`),
      wrong.map((line) => `server/routes.ts:${line}`),
      JSON.stringify(shown(errors)),
    )
  })

  test('an app is checked with the standard types of JSON, with which its platform files have no type errors', async () => {
    const errors = await compileFresh(sampleTree({ 'shared/json.ts': STANDARD_JSON }))
    assert.deepEqual(
      errors.map(({ file, line, message }) => `${file}:${line} ${message}`),
      [],
    )
  })

  test('the types of an app are not visible when the next app is compiled', async () => {
    const leaky = sampleTree({ 'shared/global.ts': 'declare global {\n  var leaked: string\n}\nexport {}\n' })
    const user = sampleTree({ 'shared/greet.ts': 'export const greet = (name: string) => name + leaked\n' })
    await pool.check(leaky, { enabled: ['data'] })
    const errors = await typeErrors(user)
    assert.deepEqual(
      errors.map(({ file, code }) => `${file} ${code}`),
      ['shared/greet.ts TS2304'],
    )
  })

  test('when the running type checker process has died, a new process returns the same errors', async () => {
    const wrong = sampleTree({ 'shared/greet.ts': 'export const greet = (n: string): number => n\n' })
    const before = shown(await typeErrors(wrong))
    for (const pid of descendants(process.pid, 'tsc --api')) process.kill(pid, 'SIGKILL')
    assert.deepEqual(shown(await typeErrors(wrong)), before)
    assert.equal(before.length > 0, true)
  })

  test('a type checker process that ends during a check is replaced at once, without waiting for the time limit', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const ended = { hasStarted: true, check: () => Promise.withResolvers<never>().promise }
    const tree = sampleTree({ 'shared/greet.ts': 'export const greet = (n: string): number => n\n' })
    const written = new TreeFolder(makeFolder(folder))
    const errors = await checkTypes(ended, tree, written.path, written.write(tree))
    assert.ok(errors.some(({ file, code }) => file === 'shared/greet.ts' && code === 'TS2322'))
  })

  test('a check has a longer time limit while more programs run than there are cores', () => {
    const limits = [0, 2, 5, 80].map((running) => timeoutOnBusyMachine(10_000, [running], 2))
    assert.deepEqual(limits, [10_000, 10_000, 25_000, 40_000])
  })

  test('no type error message quotes a file outside the app, however the app refers to that file', async () => {
    const outside = join(folder, 'canary')
    writeFileSync(`${outside}.ts`, `export const secret = 'canary-value' as const\n`)
    writeFileSync(`${outside}.json`, '{"canary-key":"canary-value"}')
    for (const source of REACHING) {
      const tree = sampleTree({ 'shared/reach.ts': source.replace('FILE', outside) })
      const report = await pool.check(tree, { enabled: ['data'] })
      const warm = report.checks.find((check) => check.name === 'types')?.errors ?? []
      const cold = await compileFresh(tree)
      for (const errors of [warm, cold]) {
        assert.deepEqual(
          errors.map(({ file, code }) => `${file} ${code}`),
          ['shared/reach.ts outside'],
          source,
        )
      }
      assert.doesNotMatch(JSON.stringify(report), /canary-(key|value)/)
    }
  })
})
