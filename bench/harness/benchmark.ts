import type { Goal, Measured } from './figure.ts'
import type { Size } from '../seed.ts'

/** Options of the command line; null means the benchmark's own default. */
export interface Options {
  rounds: number | null
  seconds: number
  rows: Size
}

/** One name of `npm run bench -- <name>`. */
export interface Benchmark {
  /** Its number in the catalogue of benchmarks. */
  id: string
  name: string
  measures: string
  goals: string[]
  /** Programs beside Node that it needs or prefers. */
  tools: string[]
  run(options: Options): Promise<Measured[]>
}

export const atLeast = (bound: number): Goal => ({ op: '>=', bound })
export const atMost = (bound: number): Goal => ({ op: '<=', bound })
