import type { Goal, MeasuredFigure } from './figure.ts'

/** The numbers of tickets with which a database can be seeded. */
export const SEED_SIZES = { '10k': 10_000, '100k': 100_000, '1m': 1_000_000 } as const
export type Size = keyof typeof SEED_SIZES

/** Command-line options; null selects the benchmark's default. */
export interface Options {
  rounds: number | null
  seconds: number
  rows: Size
}

/** A benchmark that `npm run bench -- <name>` runs. */
export interface Benchmark {
  /** A short id such as `P8`, which every output line contains. */
  id: string
  name: string
  measures: string
  goals: string[]
  /** The programs besides Node that the benchmark needs or prefers. */
  tools: string[]
  run(options: Options): Promise<MeasuredFigure[]>
}

export const atLeast = (bound: number): Goal => ({ op: '>=', bound })
export const atMost = (bound: number): Goal => ({ op: '<=', bound })
