import assert from 'node:assert/strict'
import { test } from 'node:test'
import { starterTree } from '../source/tree.ts'
import { textWorkers } from '../../testing/text-workers.ts'
import { SeenFiles } from './seen-files.ts'
import { Workspace } from './workspace.ts'
import { readTools } from './read.ts'
import type { ToolOutcome } from './tool.ts'
import { writeTools } from './write.ts'

function setUp(files: Record<string, string> = {}, known: string[] = []) {
  const base = new Map([...starterTree('Plants'), ...Object.entries(files)])
  const workspace = new Workspace({ base, tree: base, enabled: [], seen: new SeenFiles(known) })
  const tools = [...readTools(workspace, textWorkers), ...writeTools(workspace, textWorkers)]
  const run = (name: string, args: object) => {
    const tool = tools.find((item) => item.name === name)
    assert.ok(tool)
    return tool.run(args, { key: 'k', signal: new AbortController().signal })
  }
  return { workspace, run }
}

test('the write tool refuses to replace a file that the model has not read', async () => {
  const { run, workspace } = setUp({ 'shared/a.ts': 'export const a = 1\n' })
  const refused = await run('write_file', { path: 'shared/a.ts', content: 'x' })
  assert.equal(refused.code, 'not_read')
  assert.match(
    (await run('read_file', { path: 'shared/a.ts' })).text,
    /^shared\/a\.ts 1-1 of 1\nexport const a = 1$/,
  )
  assert.equal((await run('write_file', { path: 'shared/a.ts', content: 'export const a = 2' })).ok, true)
  assert.equal(workspace.tree.get('shared/a.ts'), 'export const a = 2\n')
})

test('the result of a write contains a syntax check and the changed lines', async () => {
  const { run } = setUp()
  const good = await run('write_file', {
    path: 'shared/b.ts',
    content: 'export const b = 1\nexport const c = 2',
  })
  assert.match(good.text, /Created shared\/b\.ts \(2 lines\)\.\nThe syntax is fine\./)
  assert.deepEqual([good.change?.added, good.change?.removed, good.change?.op], [2, 0, 'write'])
  const bad = await run('write_file', { path: 'shared/c.ts', content: 'export const = 1' })
  assert.equal(bad.ok, true, 'the write stands')
  assert.match(bad.text, /Syntax errors:\nshared\/c\.ts:1:\d+/)
})

test('the result of writing app.json contains the errors of the manifest', async () => {
  const { run } = setUp({}, ['app.json'])
  const bad = await run('write_file', {
    path: 'app.json',
    content: '{"slipway":1,"name":"x","pages":[{"path":1}]}',
  })
  assert.match(bad.text, /Manifest errors:\npages/)
  assert.match(
    (await run('write_file', { path: 'app.json', content: '{"slipway":1,"name":"x"}' })).text,
    /is fine/,
  )
})

const HOSTILE: [path: string, code: string][] = [
  ['../etc/passwd', 'invalid_path'],
  ['/etc/passwd', 'invalid_path'],
  ['web/../../x.ts', 'invalid_path'],
  ['web/.env', 'invalid_path'],
  ['.git/hooks/pre-commit', 'invalid_path'],
  ['web/a b.ts', 'invalid_path'],
  ['web/a\0.ts', 'invalid_path'],
  ['web\\a.ts', 'invalid_path'],
  ['node_modules/x/index.ts', 'invalid_path'],
  ['web/node_modules/react/index.ts', 'invalid_path'],
  ['web/run.sh', 'invalid_path'],
  ['web/logo.png', 'invalid_path'],
  ['a/b/c/d/e/f/g/h/i.ts', 'invalid_path'],
  ['platform/server.ts', 'locked'],
  ['package.json', 'locked'],
  ['wrangler.jsonc', 'locked'],
  ['README.md', 'locked'],
]

for (const [path, code] of HOSTILE) {
  test(`no tool writes, edits or deletes ${JSON.stringify(path)}`, async () => {
    const { run, workspace } = setUp()
    const before = workspace.hash
    for (const [tool, args] of [
      ['write_file', { path, content: 'x' }],
      ['edit_file', { path, old: 'a', new: 'b' }],
      ['delete_file', { path }],
    ] as const) {
      const outcome = await run(tool, args)
      assert.deepEqual([outcome.ok, outcome.code], [false, code])
      assert.ok(outcome.text.startsWith(`${code}: ${path} `))
    }
    assert.equal(workspace.hash, before)
  })
}

test('writing a file is refused when the path lies below an existing file or is the path of a folder', async () => {
  const { run, workspace } = setUp()
  const write = (path: string) => run('write_file', { path, content: 'export const a = 1\n' })
  assert.equal((await write('shared/a.ts')).ok, true)
  const below = await write('shared/a.ts/b.ts')
  assert.deepEqual([below.ok, below.code], [false, 'invalid_path'])
  assert.match(below.text, /shared\/a\.ts\/b\.ts lies in shared\/a\.ts, which is a file/)
  assert.equal((await write('shared/c.ts/d.ts')).ok, true)
  const above = await write('shared/c.ts')
  assert.deepEqual([above.ok, above.code], [false, 'invalid_path'])
  assert.match(above.text, /shared\/c\.ts is a folder already: shared\/c\.ts\/d\.ts lies in it/)
  assert.equal((await run('delete_file', { path: 'shared/c.ts/d.ts' })).ok, true)
  assert.equal((await write('shared/c.ts')).ok, true)
  assert.ok(!workspace.tree.has('shared/a.ts/b.ts'))
})

test('the build agent cannot write a file at a forbidden path, but can delete a file that already exists there', async () => {
  const path = 'web/node_modules/react/index.ts'
  const { run, workspace } = setUp({ [path]: 'export const a = 1\n' })
  assert.equal((await run('write_file', { path, content: 'x' })).code, 'invalid_path')
  assert.equal((await run('delete_file', { path })).ok, true)
  assert.ok(!workspace.tree.has(path))
})

test('a write is refused when the file is not text, or when the file or the app would become too large', async () => {
  const { run } = setUp()
  assert.equal(
    (await run('write_file', { path: 'shared/a.ts', content: 'x'.repeat(200_001) })).code,
    'too_large',
  )
  assert.equal((await run('write_file', { path: 'shared/a.ts', content: 'a\0b' })).code, 'not_text')
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`shared/f${i}.ts`, 'x\n']))
  assert.equal(
    (await setUp(many).run('write_file', { path: 'shared/new.ts', content: 'x' })).code,
    'too_large',
  )
  const big = Object.fromEntries(
    Array.from({ length: 10 }, (_, i) => [`shared/f${i}.ts`, 'x'.repeat(199_000)]),
  )
  assert.equal(
    (await setUp(big).run('write_file', { path: 'shared/new.ts', content: 'x'.repeat(20_000) })).code,
    'too_large',
  )
})

test('the result of a second failed edit contains the whole file', async () => {
  const { run } = setUp({ 'shared/a.ts': 'export const real = 1\n' })
  const edit = { path: 'shared/a.ts', old: 'imagined', new: 'x' }
  const first = await run('edit_file', edit)
  assert.equal(first.code, 'no_match')
  assert.ok(!first.text.includes('real'))
  const second = await run('edit_file', edit)
  assert.match(second.text, /Use write_file[\s\S]*export const real = 1/)
  assert.equal(
    (await run('write_file', { path: 'shared/a.ts', content: 'y' })).ok,
    true,
    'it has been seen now',
  )
})

test('the result of an edit shows the lines around the change', async () => {
  const text = Array.from({ length: 20 }, (_, i) => `line${i + 1}`).join('\n')
  const { run } = setUp({ 'shared/a.txt': `${text}\n` })
  const outcome = await run('edit_file', { path: 'shared/a.txt', old: 'line10', new: 'ten' })
  assert.match(outcome.text, /line7\nline8\nline9\nten\nline11\nline12\nline13\n/)
  assert.ok(!/line6\b/.test(outcome.text) && !outcome.text.includes('line14'))
})

test('the error for reading a missing file names similar paths', async () => {
  const { run } = setUp({ 'web/pages/Plants.tsx': 'export default 1\n' })
  const outcome = await run('read_file', { path: 'web/Plants.tsx' })
  assert.equal(outcome.code, 'not_found')
  assert.match(outcome.text, /Nearest: web\/pages\/Plants\.tsx/)
})

const BIG = 'shared/big.txt'
const THOUSAND_LINES = { [BIG]: 'x'.repeat(99).concat('\n').repeat(1000) }

test('the read tool can read generated files, and long files part by part', async () => {
  const { run } = setUp(THOUSAND_LINES)
  assert.equal((await run('read_file', { path: 'tsconfig.json' })).ok, true)
  const first = await run('read_file', { path: BIG })
  assert.match(first.text, /^shared\/big\.txt 1-600 of 1000\n[\s\S]*read on from line 601\)$/)
  assert.match(
    (await run('read_file', { path: 'shared/big.txt', from: 601 })).text,
    /^shared\/big\.txt 601-1000 of 1000/,
  )
  assert.equal((await run('read_file', { path: 'shared/big.txt', from: 1001 })).code, 'invalid_arguments')
})

test('a long file may be replaced only after it was read from its first to its last line without a gap', async () => {
  const { run } = setUp(THOUSAND_LINES)
  const replace = async () => (await run('write_file', { path: BIG, content: 'x' })).code ?? 'replaced'
  await run('read_file', { path: BIG, from: 900 })
  assert.equal(await replace(), 'not_read', 'only the end was read')
  await run('read_file', { path: BIG, to: 500 })
  await run('read_file', { path: BIG, from: 502 })
  assert.equal(await replace(), 'not_read', 'line 501 was not read')
  await run('read_file', { path: BIG, from: 400, to: 600 })
  assert.equal(await replace(), 'not_read', 'the parts after the gap must be read in order')
  await run('read_file', { path: BIG, from: 601 })
  assert.equal(await replace(), 'replaced')
})

test('editing a file does not allow the model to replace the file before it has seen every line', async () => {
  const { run } = setUp({ ...THOUSAND_LINES, 'shared/a.ts': 'export const a = 1\nexport const b = 2\n' })
  const edit = { path: 'shared/a.ts', old: 'a = 1', new: 'a = 3' }
  assert.equal((await run('edit_file', edit)).ok, true)
  assert.equal((await run('write_file', { path: 'shared/a.ts', content: 'x' })).code, 'not_read')
  await run('read_file', { path: 'shared/a.ts' })
  assert.equal((await run('edit_file', { ...edit, old: 'a = 3', new: 'a = 4' })).ok, true)
  assert.equal((await run('write_file', { path: 'shared/a.ts', content: 'x' })).ok, true)
})

test('the search tool matches literally and ignores case, and a regular expression that backtracks without end times out', async () => {
  const { run } = setUp({ 'shared/a.ts': 'const Plant = 1 // a.b\n', 'web/b.css': '.plant { }\n' })
  assert.equal((await run('search', { pattern: 'A.B' })).text, 'shared/a.ts:1: const Plant = 1 // a.b')
  assert.equal((await run('search', { pattern: 'plant', glob: 'web/*.css' })).text, 'web/b.css:1: .plant { }')
  assert.match(
    (await run('search', { pattern: '^const \\w+', regex: true, glob: 'shared/**' })).text,
    /^shared\/a\.ts:1/,
  )
  assert.equal((await run('search', { pattern: '(', regex: true })).code, 'invalid_arguments')
  const slow = setUp({ 'shared/x.txt': `${'a'.repeat(40)}!\n` })
  const outcome = await slow.run('search', { pattern: '^(a+)+$', regex: true })
  assert.match(outcome.text, /takes too long/)
})

const code = async (outcome: Promise<ToolOutcome>) => (await outcome).code ?? 'done'

test('a write or edit that would nest a file too deeply changes nothing and returns an error with the file', async () => {
  const { run, workspace } = setUp({}, ['app.json'])
  const before = workspace.hash
  for (const [path, content] of [
    ['web/a.css', 'a{'.repeat(20_000)],
    ['web/A.tsx', `export const a = ${'<div>'.repeat(300)}`],
    ['shared/a.ts', `export const a = ${'['.repeat(50_000)}`],
    ['app.json', `{"slipway":1,"name":"x","migrations":${'['.repeat(90_000)}`],
  ] as const) {
    const outcome = await run('write_file', { path, content })
    assert.equal(outcome.code, 'too_complex')
    assert.match(outcome.text, new RegExp(`^too_complex: ${path.replace('.', '[.]')} nests`))
  }
  const edit = { path: 'app.json', old: '{', new: '{'.repeat(300), all: true }
  assert.equal(await code(run('edit_file', edit)), 'too_complex')
  assert.equal(workspace.hash, before)
})

test('only the result of a single edit, and not of an edit of all occurrences, shows the lines around the change', async () => {
  const lines = Array.from({ length: 60 }, (_, n) => (n % 20 === 0 ? 'paint(red)' : `line ${n}`))
  const { run, workspace } = setUp({ 'shared/a.txt': lines.join('\n').concat('\n') })
  const edit = { path: 'shared/a.txt', old: 'red', new: 'deep\nblue' }
  const all = await run('edit_file', { ...edit, all: true })
  assert.match(
    all.text,
    /^Edited shared\/a\.txt\.\n3 replacements:\n1: paint\(deep\n22: paint\(deep\n43: paint\(deep\n/,
  )
  assert.doesNotMatch(all.text, /line 1\b/)
  assert.equal(workspace.tree.get('shared/a.txt')?.split('\n')[42], 'paint(deep')
  const one = await run('edit_file', { path: 'shared/a.txt', old: 'line 1\n', new: 'first\n' })
  assert.match(one.text, /blue\)\nfirst\nline 2/)
})

test('an edit whose result would have ten gigabytes is refused with the size of the result', async () => {
  const { run } = setUp({ 'shared/a.txt': 'a'.repeat(100_000).concat('\n') })
  const outcome = await run('edit_file', {
    path: 'shared/a.txt',
    old: 'a',
    new: 'b'.repeat(100_000),
    all: true,
  })
  assert.equal(outcome.code, 'too_large')
  assert.match(outcome.text, /would have 10000000001 bytes/)
})

const GLOBS: [glob: string, code: string][] = [
  ['web/**/*.{ts,tsx}', 'done'],
  ['{web,shared}/*.{ts,tsx}', 'done'],
  ['{a,b1}'.repeat(18), 'invalid_arguments'],
  [`web/${'*'.repeat(200)}`, 'invalid_arguments'],
  [`shared/${'*a'.repeat(50)}*b`, 'invalid_arguments'],
]

for (const [glob, expected] of GLOBS) {
  test(`a search with the glob ${glob.slice(0, 30)} ${expected === 'done' ? 'returns its matches' : 'is refused'}`, async () => {
    const path = `shared/${'a'.repeat(100)}.ts`
    const { run } = setUp({ [path]: 'plant\n' })
    assert.equal(await code(run('search', { pattern: 'plant', glob })), expected)
    assert.equal(await code(run('search', { pattern: 'plant' })), 'done')
  })
}
