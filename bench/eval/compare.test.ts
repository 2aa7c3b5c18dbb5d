import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { formatComparison, pairsOf, readSide, type Side } from './compare.ts'
import { NO_USAGE, type TaskResult } from './figures.ts'
import { meanDifference, wilsonInterval } from './intervals.ts'
import { readJudgement } from './judge.ts'

const resultOf = (task: string, passed: boolean, skipped: string | null = null): TaskResult => ({
  task,
  model: 'm',
  run: 1,
  passed,
  skipped,
  judged: null,
  label: null,
  tickets:
    skipped !== null
      ? []
      : [
          {
            title: 'One',
            outcome: 'built',
            passed,
            problems: [],
            checks: { passed: Number(passed), total: 1 },
            regressions: 0,
            questions: 0,
            edits: 0,
            rewrites: 0,
            usage: NO_USAGE,
            seconds: 1,
          },
        ],
})
const sideOf = (name: string, results: TaskResult[]): Side => ({ name, results })
const NAMES = Array.from({ length: 12 }, (_, i) => `task-${i}`)

describe('comparing two evaluations', () => {
  test('the Wilson interval equals published values, stays within 0 and 1, and is narrower for more attempts', () => {
    const rounded = (passed: number, total: number) => {
      const { low, high } = wilsonInterval(passed, total)
      return [low, high].map((share) => Math.round(share * 1000) / 1000)
    }
    assert.deepEqual(rounded(8, 10), [0.49, 0.943])
    assert.deepEqual(rounded(0, 10), [0, 0.278])
    assert.deepEqual(rounded(10, 10), [0.722, 1])
    assert.deepEqual(rounded(80, 100), [0.711, 0.867])
    assert.throws(() => wilsonInterval(0, 0))
  })

  test('the bootstrap interval contains the mean difference, is reproducible, and has no width when all differences are equal', () => {
    const mixed = [1, 0, 0, -1, 1, 0, 1, 0]
    const interval = meanDifference(mixed)
    assert.equal(interval.value, 0.25)
    assert.ok(interval.low < 0.25 && interval.high > 0.25)
    assert.deepEqual(meanDifference(mixed), interval)
    assert.deepEqual(meanDifference([1, 1, 1]), { value: 1, low: 1, high: 1 })
    assert.throws(() => meanDifference([]), /No tasks in common/)
  })

  test('comparing two evaluations uses the pass rates of their common tasks, and fails without a common task', () => {
    const left = sideOf('a', [
      resultOf('x', true),
      resultOf('x', false),
      resultOf('y', true),
      resultOf('z', true),
    ])
    const right = sideOf('b', [resultOf('x', true), resultOf('y', false, 'too hard')])
    assert.deepEqual(pairsOf(left, right), [{ task: 'x', left: 0.5, right: 1 }])
    assert.throws(
      () => formatComparison(left, sideOf('c', [resultOf('q', true)]), 'text'),
      /No tasks in common/,
    )
  })

  test('the comparison of two evaluations names the better one, or says that the difference may be chance', () => {
    const sideWith = (passes: (i: number) => boolean) =>
      sideOf(
        's',
        NAMES.map((name, i) => resultOf(name, passes(i))),
      )
    const [none, every, most] = [sideWith(() => false), sideWith(() => true), sideWith((i) => i > 0)]
    assert.match(formatComparison(none, every, 'text'), /\+100 points.* B is better\./)
    assert.match(formatComparison(every, none, 'text'), /A is better\./)
    assert.match(formatComparison(every, most, 'text'), /may be chance/)
    assert.match(formatComparison(every, most, 'markdown'), /\| all tasks \| 100 % \(76 to 100\) \| 92 %/)
  })

  test('a file of evaluation results is read with its label, and an empty file is an error', () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-compare-'))
    const file = join(folder, 'a.jsonl')
    writeFileSync(file, `${JSON.stringify({ ...resultOf('x', true), label: 'new prompt' })}\n`)
    assert.equal(readSide(file).name, `new prompt (${file})`)
    writeFileSync(file, '')
    assert.throws(() => readSide(file), /no results/)
    rmSync(folder, { recursive: true })
  })

  test('the scores of the judge model are read even when its JSON is in a code block, and a missing score is an error', () => {
    const answer = '```json\n{"scores":[1,0.5],"remark":"The heading is vague."}\n```'
    assert.deepEqual(readJudgement(answer, 2), { score: 0.75, remark: 'The heading is vague.' })
    assert.throws(() => readJudgement(answer, 3), /2 scores for 3 sentences/)
    assert.throws(() => readJudgement('It is a fine app.', 1))
    assert.throws(() => readJudgement('{"scores":[7]}', 1))
  })
})
