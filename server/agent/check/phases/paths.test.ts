import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../../testing/cpu.ts'
import { checkPaths } from './paths.ts'

const locked = new Map([['platform/kit.ts', 'ours']])
const rules = {
  locked,
  isLocked: (path: string) => path.startsWith('platform/') || path === 'README.md',
  pathProblem: (path: string) => (path.startsWith('web/') || path === 'app.json' ? null : 'lies nowhere'),
}
const codes = (files: [string, string][]) =>
  checkPaths(new Map([...locked, ...files]), rules).map(({ file, code }) => `${code} ${file}`)

test("the check of an app's paths accepts files in the allowed folders and a README with any content", () => {
  assert.deepEqual(
    codes([
      ['app.json', '{}'],
      ['web/App.tsx', ''],
      ['README.md', '# anything'],
    ]),
    [],
  )
})

test('a file of the locked platform folder that was changed, added or removed is reported with its path', () => {
  assert.deepEqual(codes([['platform/kit.ts', 'mine']]), ['locked platform/kit.ts'])
  assert.deepEqual(codes([['platform/extra.ts', '']]), ['locked platform/extra.ts'])
  assert.deepEqual(
    checkPaths(new Map(), rules).map(({ file, message }) => `${file} ${message}`),
    ['platform/kit.ts is locked and is missing'],
  )
})

test('a check refuses files outside the allowed folders, paths that differ only in case, and content that is not text', () => {
  assert.deepEqual(codes([['.git/hooks/x', '']]), ['invalid_path .git/hooks/x'])
  assert.deepEqual(
    codes([
      ['web/a.ts', ''],
      ['web/A.ts', ''],
    ]),
    ['case_collision web/A.ts'],
  )
  assert.deepEqual(codes([['web/a.ts', 'a\0b']]), ['not_text web/a.ts'])
  assert.deepEqual(codes([['web/a.ts', '\ud800']]), ['not_text web/a.ts'])
})

test('a file of an app below the path of another file is refused, even if the two paths differ in case', () => {
  assert.deepEqual(
    codes([
      ['web/a.ts', ''],
      ['web/a.ts/b.ts', ''],
      ['web/B.ts/c/d.ts', ''],
      ['web/b.ts', ''],
      ['web/a.ts.ts', ''],
    ]),
    ['file_as_folder web/a.ts/b.ts', 'file_as_folder web/B.ts/c/d.ts'],
  )
})

test("the check of an app's paths refuses an oversized file, too many files and an oversized total", () => {
  assert.deepEqual(codes([['web/big.ts', 'x'.repeat(200_001)]]), ['too_large web/big.ts'])
  const many = Array.from({ length: 201 }, (_, i): [string, string] => [`web/f${i}.ts`, ''])
  assert.deepEqual(codes(many), ['too_many_files '])
  const heavy = Array.from({ length: 11 }, (_, i): [string, string] => [`web/f${i}.ts`, 'x'.repeat(190_000)])
  assert.deepEqual(codes(heavy), ['too_large '])
})

test('checking the paths of a hundred thousand files takes less than two seconds', () => {
  const files = Array.from({ length: 100_000 }, (_, i): [string, string] => [`web/f${i}.ts`, ''])
  const tookMs = cpuMs(() => assert.deepEqual(codes(files), ['too_many_files ']))
  assert.ok(tookMs < 2000, `${tookMs} ms`)
})
