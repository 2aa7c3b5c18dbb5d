import type { Goal, MeasuredFigure } from './figure.ts'
import { progress } from './progress.ts'
import { isSteady, median, ratios } from './statistics.ts'

export interface Sample {
  perSecond: number
  errors: number
  p50Ms: number
  p99Ms: number
  /** The CPU time of the server and of Postgres per request. */
  cpuUs: number
}

export interface Target {
  name: string
  measure(round: number): Promise<Sample>
}

export type Series = Map<string, Sample[]>

/**
 * Measures both targets in every round, in alternating order, because a measurement may affect the next one. When the rounds are unsteady,
 * repeats all of them once, because a busy machine may be quieter a minute later.
 */
export async function measureRounds(targets: [Target, Target], rounds: number): Promise<Series> {
  const first = await visitAll(targets, rounds)
  if (seriesSteady(first, targets)) return first
  progress('The rounds differ by more than 2x: once more.')
  return visitAll(targets, rounds)
}

async function visitAll(targets: Target[], rounds: number): Promise<Series> {
  const series: Series = new Map(targets.map((target) => [target.name, []]))
  for (let round = 0; round < rounds; round++) {
    const turn = round % targets.length
    for (const target of [...targets.slice(turn), ...targets.slice(0, turn)]) {
      const sample = await target.measure(round)
      series.get(target.name)?.push(sample)
      progress(`  round ${round + 1}/${rounds}  ${target.name.padEnd(10)} ${describeSample(sample)}`)
    }
  }
  return series
}

function describeSample(sample: Sample): string {
  const faults = sample.errors === 0 ? '' : `  ${sample.errors} ERRORS`
  return `${sample.perSecond.toFixed(0)}/s  p99 ${sample.p99Ms.toFixed(1)} ms  cpu ${sample.cpuUs.toFixed(0)} us${faults}`
}

function seriesSteady(series: Series, [ours, theirs]: [Target, Target]): boolean {
  const yardstick = valuesOf(series, theirs.name, 'perSecond')
  return isSteady(ratios(valuesOf(series, ours.name, 'perSecond'), yardstick), yardstick)
}

export function loadFigures(
  series: Series,
  options: { targets: [Target, Target]; rows: number; requests: Goal; cpu: Goal | null },
): [requests: MeasuredFigure, cpu: MeasuredFigure] {
  const [ours, theirs] = options.targets
  const samples = series.get(ours.name) ?? []
  const errors = [...series.values()].flat().reduce((sum, sample) => sum + sample.errors, 0)
  const steady = seriesSteady(series, options.targets)
  const figure = (
    name: string,
    unit: string,
    key: 'perSecond' | 'cpuUs',
    goal: Goal | null,
  ): MeasuredFigure => {
    const value = valuesOf(series, ours.name, key)
    const baseline = valuesOf(series, theirs.name, key)
    const ratio = ratios(value, baseline)
    return {
      figure: name,
      unit,
      rows: options.rows,
      value: median(value),
      against: theirs.name,
      baseline: median(baseline),
      ratio: ratio.median,
      ratioMin: ratio.min,
      ratioMax: ratio.max,
      goal,
      rounds: samples.length,
      errors,
      p50Ms: median(samples.map((sample) => sample.p50Ms)),
      p99Ms: median(samples.map((sample) => sample.p99Ms)),
      cpuUs: median(samples.map((sample) => sample.cpuUs)),
      steady,
    }
  }
  return [
    figure('requests', '1/s', 'perSecond', options.requests),
    figure('cpu', 'us/request', 'cpuUs', options.cpu),
  ]
}

function valuesOf(series: Series, name: string, key: 'perSecond' | 'cpuUs'): number[] {
  return (series.get(name) ?? []).map((sample) => sample[key])
}
