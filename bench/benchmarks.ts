import { ticketCreate } from './cases/ticket-create.ts'
import { ticketGet } from './cases/ticket-get.ts'
import { ticketList } from './cases/ticket-list.ts'
import type { Benchmark } from './harness/benchmark.ts'

/** Everything that `npm run bench -- all` runs, in this order. */
export const BENCHMARKS: readonly Benchmark[] = [ticketGet, ticketList, ticketCreate]
