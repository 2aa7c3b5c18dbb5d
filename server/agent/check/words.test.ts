import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CheckReport, PHASES, type Phase } from './report.ts'
import { describeRed } from './words.ts'

const place = { file: 'web/pages/Home.tsx', line: 3, column: 9, excerpt: '3 | const x' }
const red = (name: Phase, code: string, message: string): CheckReport => ({
  ok: false,
  checks: [
    { name: 'paths', ok: true, ms: 1, errors: [] },
    { name, ok: false, ms: 1, errors: [{ phase: name, ...place, code, message }] },
  ],
})
/** What only a programmer reads: codes, places, stacks, names of phases and types. */
const TECHNICAL = /TS\d|:\d+|\bat \w+|\.tsx?|stack|undefined|\bmanifest\b|\blint\b|\bboot\b|\bbundle\b/

for (const phase of PHASES) {
  test(`a red ${phase} is told in plain words`, () => {
    const said = describeRed(
      red(phase, 'TS2322', "Type 'string' is not assignable\n    at Home (web/a.tsx:3:9)"),
    )
    assert.doesNotMatch(said, TECHNICAL)
    assert.ok(said.length > 15, said)
  })
}

test('a test that fails is told by its name', () => {
  const report = red('tests', 'test_failed', 'a plant is stored: expected 1 to be 2')
  assert.equal(describeRed(report), 'its test “a plant is stored” fails')
})

test('what never ends and what eats the memory is told as that', () => {
  assert.equal(describeRed(red('tests', 'timeout', 'x')), 'something in it runs without end')
  assert.equal(describeRed(red('boot', 'killed', 'x')), 'it uses up the memory')
})

test('all that is red is told', () => {
  const two = [red('types', 'TS1', 'x'), red('tests', 'test_failed', 'a: b')].flatMap(({ checks }) => checks)
  assert.equal(describeRed({ ok: false, checks: two }), 'some parts do not fit together; its test “a” fails')
})
