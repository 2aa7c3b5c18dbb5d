import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textWorkers } from '../../testing/text-workers.ts'
import { describeFile, describeSimilarPaths, readTools } from './read.ts'
import { Workspace } from './workspace.ts'

function setUp(files: Record<string, string>) {
  const base = new Map(Object.entries(files))
  const workspace = new Workspace({ base, tree: base, enabled: [] })
  const run = (name: string, args: object) => {
    const tool = readTools(workspace, textWorkers).find((item) => item.name === name)
    assert.ok(tool)
    return tool.run(args, { key: 'k', signal: new AbortController().signal })
  }
  return { workspace, run }
}

test('list_files returns the files of the named folder, and all files when the name is empty or means the top folder', async () => {
  const { run } = setUp({ 'web/app.tsx': '', 'web/pages/a.tsx': '', 'website/b.ts': '', 'app.json': '{}' })
  const listed = async (under?: string) => {
    const { text } = await run('list_files', under === undefined ? {} : { under })
    return text === 'No files.' ? [] : text.split('\n').map((line) => line.split(' ')[0])
  }
  const all = ['app.json', 'web/app.tsx', 'web/pages/a.tsx', 'website/b.ts']
  for (const top of [undefined, '', '.', '/', './', '//'])
    assert.deepEqual(await listed(top), all, JSON.stringify(top))
  for (const web of ['web', 'web/', '/web', './web', './web/', 'web//'])
    assert.deepEqual(await listed(web), ['web/app.tsx', 'web/pages/a.tsx'], web)
  for (const none of ['we', 'nowhere', 'web/app.tsx/x', '..']) assert.deepEqual(await listed(none), [], none)
})

test('list_files with an argument of a hundred thousand slashes returns within a second', async () => {
  const { run } = setUp({ 'web/app.tsx': '' })
  const begun = performance.now()
  assert.equal((await run('list_files', { under: `web${'/'.repeat(100_000)}x` })).text, 'No files.')
  assert.ok(performance.now() - begun < 1000, `${performance.now() - begun} ms`)
})

test('list_files and the search tool also find generated files, but only in a call that names their folder', async () => {
  const { run } = setUp({ 'app.json': '{}', 'server/a.ts': 'export const call: number = 1' })
  const listed = async (under: string) => (await run('list_files', { under })).text
  assert.match(await listed('platform/call'), /^platform\/call\/\S+ \(\d+ bytes/)
  assert.match(await listed('platform'), /^platform\/server\.ts \(\d+ bytes/m)
  assert.match(await listed('platform'), /^platform\/call\/ \(\d+ files\)$/m)
  assert.doesNotMatch(await listed('platform'), /platform\/call\/\w/)
  assert.doesNotMatch(await listed(''), /platform\//)
  const search = async (glob?: string) => (await run('search', { pattern: 'export const call:', glob })).text
  assert.match(await search('platform/**'), /^platform\/call\/client\.ts:\d+: export const call:/m)
  assert.match(await search(), /^server\/a\.ts:1: [^\n]+$/)
})

test('the search tool without a glob, or with an empty one, searches all files', async () => {
  const { run } = setUp({ 'web/a.tsx': 'needle', 'server/b.ts': 'needle' })
  for (const glob of [undefined, ''])
    assert.equal(
      (await run('search', { pattern: 'needle', glob })).text,
      'web/a.tsx:1: needle\nserver/b.ts:1: needle',
    )
  assert.equal((await run('search', { pattern: 'needle', glob: 'web/**' })).text, 'web/a.tsx:1: needle')
  assert.equal((await run('search', { pattern: 'needle', glob: 'none/**' })).text, 'No hits.')
})

test('read_file refuses a line range that ends before it starts, and the file does not count as read', async () => {
  const { run, workspace } = setUp({ 'a.txt': 'one\ntwo\nthree\n' })
  const outcome = await run('read_file', { path: 'a.txt', from: 3, to: 2 })
  assert.deepEqual([outcome.ok, outcome.code], [false, 'invalid_arguments'])
  assert.equal(workspace.seen.has('a.txt'), false)
  assert.equal((await run('read_file', { path: 'a.txt', from: 2, to: 2 })).text, 'a.txt 2-2 of 3\ntwo')
  assert.equal((await run('read_file', { path: 'a.txt', from: 3, to: 99 })).text, 'a.txt 3-3 of 3\nthree')
})

test('read_file cuts an overlong line with a note, and the file does not count as read', async () => {
  const { run, workspace } = setUp({
    'data.json': `"${'x'.repeat(100_000)}"\n`,
    'wide.txt': `${'🌱'.repeat(30_000)}\nend\n`,
    'full.txt': `${'y'.repeat(59_998)}\n`,
  })
  const { text } = await run('read_file', { path: 'data.json' })
  assert.match(text, /^data\.json 1-1 of 1\n"x+\n\(line 1 is cut at 60 kB\)$/)
  assert.equal(workspace.seen.has('data.json'), false)
  const wide = await run('read_file', { path: 'wide.txt' })
  assert.ok(Buffer.byteLength(wide.text) < 61_000)
  assert.ok(wide.text.isWellFormed() && !wide.text.includes('\ufffd'))
  assert.match(
    wide.text,
    /^wide\.txt 1-1 of 2\n🌱+\n\(line 1 is cut at 60 kB\)\n\(cut at 60 kB; read on from line 2\)$/u,
  )
  assert.equal((await run('read_file', { path: 'wide.txt', from: 2 })).text, 'wide.txt 2-2 of 2\nend')
  const full = await run('read_file', { path: 'full.txt' })
  assert.doesNotMatch(full.text, /cut/)
  assert.ok(workspace.seen.has('full.txt'))
})

test('read_file returns an empty file as one empty line', async () => {
  const { run, workspace } = setUp({ 'empty.txt': '' })
  assert.equal((await run('read_file', { path: 'empty.txt' })).text, 'empty.txt 1-1 of 1\n')
  assert.ok(workspace.seen.has('empty.txt'))
})

test('a list of files shows the bytes, the number of lines and at most twelve exported names of each file', () => {
  const source =
    'export default async function Page() {}\nexport const a = 1\n  export const inner = 1\nexport type B = 1\n'
  assert.equal(describeFile('a.ts', source), `a.ts (${source.length} bytes, 4 lines, exports Page, a, B)`)
  assert.equal(describeFile('é.txt', 'é'), 'é.txt (2 bytes, 1 lines)')
  assert.equal(describeFile('a.txt', ''), 'a.txt (0 bytes, 0 lines)')
  const many = Array.from({ length: 20 }, (_, n) => `export const n${n} = 1\n`).join('')
  assert.match(describeFile('a.ts', many), /n11\)$/)
})

test('the error for a wrong path suggests at most five files with the same name', () => {
  const files = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`web/${n}/Plants.tsx`, '']))
  const { workspace } = setUp(files)
  assert.equal(describeSimilarPaths(workspace, 'src/plants.js').split(', ').length, 5)
  for (const path of ['', '/', '.env', 'src/', 'cactus.ts'])
    assert.equal(describeSimilarPaths(workspace, path), '', path)
})
