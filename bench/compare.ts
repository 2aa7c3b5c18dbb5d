import { readFileSync } from 'node:fs'
import type { Figure } from './harness/figure.ts'

/** Only a larger relative change counts, because smaller changes are noise between two runs. */
const TOLERATED_SHARE = 0.1

export interface Change {
  name: string
  before: number
  after: number
  /** How many times better the later run is; below 1 is worse. */
  factor: number
  isWorse: boolean
}

export function readFigures(file: string): Figure[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Figure)
}

/**
 * Compares the figures of two runs. A figure with a baseline is compared only by its ratio to the baseline, because absolute values depend
 * on the machine and its load.
 */
export function compareFigures(before: readonly Figure[], after: readonly Figure[]): Change[] {
  const earlier = new Map(before.map((figure) => [figureName(figure), figure]))
  return after.flatMap((figure) => {
    const then = earlier.get(figureName(figure))
    if (then === undefined) return []
    const [a, b] = [then.ratio ?? then.value, figure.ratio ?? figure.value]
    const factor = isLessBetter(figure) ? a / b : b / a
    return [{ name: figureName(figure), before: a, after: b, factor, isWorse: factor < 1 - TOLERATED_SHARE }]
  })
}

const figureName = ({ bench, figure, rows, against }: Figure): string =>
  [bench, figure, rows, against === null ? null : `/ ${against}`].filter((part) => part !== null).join(' ')

// Only rates and scores are better when they are higher; all other figures are times, memory or amounts of work.
const isLessBetter = (figure: Figure): boolean => figure.unit !== '1/s' && figure.unit !== 'score'
