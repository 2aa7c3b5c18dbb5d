import {
  type CheckReport,
  type Phase,
  PHASES,
  describeFailedChecks,
  describeReport,
  errorAt,
  errorSignature,
} from './check-report.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'

const tree = new Map([['web/App.tsx', 'one\ntwo\nthree\nfour\n']])
const errorOn = (line: number, message = `Property 'x' on line ${line}`) =>
  errorAt(tree, { phase: 'types', file: 'web/App.tsx', line, column: 3, code: 'TS2339', message })
const reportOf = (...errors: ReturnType<typeof errorOn>[]): CheckReport => ({
  ok: errors.length === 0,
  checks: [
    { name: 'bundle', ok: true, ms: 90, errors: [] },
    { name: 'types', ok: errors.length === 0, ms: 250.4, errors },
  ],
})

test('the source excerpt of a check error shows its line, one line before and one line after', () => {
  assert.equal(errorOn(2).excerpt, '1 | one\n2 | two\n3 | three')
  assert.equal(errorOn(1).excerpt, '1 | one\n2 | two')
  assert.equal(
    errorAt(tree, { phase: 'boot', file: 'gone.ts', line: 4, code: 'x', message: 'm' }).excerpt,
    '',
  )
})

test('the check report for the model lists every phase, then each error with position and code', () => {
  const text = describeReport(reportOf(errorOn(2)))
  assert.match(text, /^The check is red\.\nok {2}bundle \(90 ms\)\nRED types \(250 ms\)\n/)
  assert.match(text, /\[types\] web\/App\.tsx:2:3 error TS2339: Property 'x' on line 2\n1 \| one\n2 \| two/)
})

test('the check report for the model has at most 12 kB, lists at most 20 errors per phase and says how many errors it omits', () => {
  const many = reportOf(...Array.from({ length: 57 }, (_, i) => errorOn(i + 1)))
  assert.match(describeReport(many), /and 37 more in types$/)
  const long = reportOf(...Array.from({ length: 20 }, () => errorOn(1, 'ü'.repeat(999))))
  assert.ok(Buffer.byteLength(describeReport(long)) <= 12_000)
  assert.match(describeReport(long), /and 1\d more in types$/)
})

test('warnings are shown in the report of a check and do not make the check fail', () => {
  const report: CheckReport = {
    ok: true,
    checks: [{ name: 'lint', ok: true, ms: 1, errors: [], warnings: [{ ...errorOn(2), phase: 'lint' }] }],
  }
  assert.match(describeReport(report), /The check is green\.\nok {2}lint[^]+warning TS2339/)
})

test('the signature of a check report ignores the line, order and message numbers of errors, but not their file or code', () => {
  const signature = (...errors: ReturnType<typeof errorOn>[]) => errorSignature(reportOf(...errors))
  assert.equal(signature(errorOn(2), errorOn(3)), signature(errorOn(30), errorOn(4)))
  assert.notEqual(signature(errorOn(2)), signature({ ...errorOn(2), file: 'web/Other.tsx' }))
  assert.notEqual(signature(errorOn(2)), signature({ ...errorOn(2), code: 'TS1' }))
})

const place = { file: 'web/pages/Home.tsx', line: 3, column: 9, excerpt: '3 | const x' }
const red = (name: Phase, code: string, message: string): CheckReport => ({
  ok: false,
  checks: [
    { name: 'paths', ok: true, ms: 1, errors: [] },
    { name, ok: false, ms: 1, errors: [{ phase: name, ...place, code, message }] },
  ],
})
/** Terms that only a programmer understands: error codes, file positions, stacks, names of phases and types. */
const TECHNICAL = /TS\d|:\d+|\bat \w+|\.tsx?|stack|undefined|\bmanifest\b|\blint\b|\bboot\b|\bbundle\b/

for (const phase of PHASES) {
  test(`a failed ${phase} phase is described without technical terms`, () => {
    const said = describeFailedChecks(
      red(phase, 'TS2322', "Type 'string' is not assignable\n    at Home (web/a.tsx:3:9)"),
    )
    assert.doesNotMatch(said, TECHNICAL)
    assert.ok(said.length > 15, said)
  })
}

test('the reason given for a failed tests phase contains the name of the first failing test', () => {
  const report = red('tests', 'test_failed', 'a plant is stored: expected 1 to be 2')
  assert.equal(describeFailedChecks(report), 'its test “a plant is stored” fails')
})

test('the reason for a failed check is different for a timeout and for a lack of memory', () => {
  assert.equal(
    describeFailedChecks(red('tests', 'timeout', 'x')),
    'something in it runs without end, or the machine is busy',
  )
  assert.equal(describeFailedChecks(red('boot', 'killed', 'x')), 'it uses up the memory')
})

test('a reason that two failed phases of a check share appears once in the description of the failed check', () => {
  const two = [red('types', 'timeout', 'x'), red('boot', 'timeout', 'x')].flatMap(({ checks }) => checks)
  assert.equal(
    describeFailedChecks({ ok: false, checks: two }),
    'something in it runs without end, or the machine is busy',
  )
})

test('the description of a failed check gives a reason for every failed phase', () => {
  const two = [red('types', 'TS1', 'x'), red('tests', 'test_failed', 'a: b')].flatMap(({ checks }) => checks)
  assert.equal(
    describeFailedChecks({ ok: false, checks: two }),
    'some parts do not fit together; its test “a” fails',
  )
})
