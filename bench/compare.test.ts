import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareFigures } from './compare.ts'
import { absolute, type Figure, toFigure } from './harness/figure.ts'

const figureWith = (given: { ratio: number | null; value: number; unit: string }): Figure =>
  toFigure(
    { id: 'P0', name: 'sample' },
    { ...absolute({ figure: 'it', rounds: 1, goal: { op: '>=', bound: 0.5 }, ...given }) },
  )

test('a benchmark result with a ratio to its baseline is worse when the ratio fell, even when its absolute value rose', () => {
  const [change] = compareFigures(
    [figureWith({ ratio: 0.6, value: 9000, unit: '1/s' })],
    [figureWith({ ratio: 0.5, value: 20_000, unit: '1/s' })],
  )
  assert.ok(change?.isWorse)
  assert.equal(change.factor.toFixed(2), '0.83')
})

test('a benchmark time that rose by 20 percent counts as worse, and a time that rose by 5 percent or fell does not', () => {
  const time = (value: number) => [figureWith({ ratio: null, value, unit: 's' })]
  assert.equal(compareFigures(time(1), time(1.2))[0]?.isWorse, true)
  assert.equal(compareFigures(time(1), time(1.05))[0]?.isWorse, false)
  assert.equal(compareFigures(time(1.2), time(1))[0]?.isWorse, false)
})

test('a benchmark score counts as worse when it fell, but not when it rose', () => {
  const score = (value: number) => [figureWith({ ratio: null, value, unit: 'score' })]
  assert.equal(compareFigures(score(0.99), score(0.8))[0]?.isWorse, true)
  assert.equal(compareFigures(score(0.8), score(0.99))[0]?.isWorse, false)
})

test('a benchmark result with errors fails its goal whatever its value, and a result without a goal has no verdict', () => {
  const measured = absolute({
    figure: 'it',
    unit: '1/s',
    value: 1,
    goal: { op: '>=', bound: 0.5 },
    rounds: 1,
  })
  assert.equal(toFigure({ id: 'P0', name: 'sample' }, measured).ok, true)
  assert.equal(toFigure({ id: 'P0', name: 'sample' }, { ...measured, errors: 1 }).ok, false)
  assert.equal(toFigure({ id: 'P0', name: 'sample' }, { ...measured, goal: null }).ok, null)
})
