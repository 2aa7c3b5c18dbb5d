import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../lib.ts'

const PAGE = readFileSync(join(ROOT, 'docs/security/threat-model.md'), 'utf8')

test('every test that docs/security/threat-model.md names as a proof exists', () => {
  const missing = proofsIn(PAGE).filter(({ file, name }) => !hasTest(file, name))
  assert.deepEqual(missing, [])
})

test('every threat in the threat model names a test as its proof', () => {
  const entries = PAGE.split('\n## Known limits')[0]?.split(/^- /m).slice(1) ?? []
  assert.ok(entries.length > 30)
  assert.deepEqual(
    entries.filter((entry) => proofsIn(entry).length === 0),
    [],
  )
})

test('a test named as a proof in the threat model is reported when its file or its name does not exist', () => {
  assert.equal(
    hasTest('scripts/gone.test.ts', 'every threat in the threat model names a test as its proof'),
    false,
  )
  assert.equal(hasTest('scripts/docs/threat-model.test.ts', 'every threat has two proofs'), false)
  assert.equal(
    hasTest(
      'scripts/docs/threat-model.test.ts',
      'every threat in the threat model names a test as its proof',
    ),
    true,
  )
})

function proofsIn(text: string): { file: string; name: string }[] {
  return [...text.matchAll(/`([\w./-]+\.test\.ts)`:\s+"([^"]+)"/g)].map(([, file = '', name = '']) => ({
    file,
    name: name.replace(/\s+/g, ' '),
  }))
}

function hasTest(file: string, name: string): boolean {
  const path = join(ROOT, file)
  if (!existsSync(path)) return false
  const source = readFileSync(path, 'utf8')
  return [`test('${name}'`, `test("${name}"`, `test(\n    '${name}'`].some((start) => source.includes(start))
}
