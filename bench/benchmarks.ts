import { authCost } from './cases/auth-cost.ts'
import { buildOverhead } from './cases/build-overhead.ts'
import { coldStart } from './cases/cold-start.ts'
import { deliveryLatency } from './cases/delivery-latency.ts'
import { delivery } from './cases/delivery.ts'
import { ingest } from './cases/ingest.ts'
import { memory } from './cases/memory.ts'
import { ship } from './cases/ship.ts'
import { ticketCreate } from './cases/ticket-create.ts'
import { ticketGet } from './cases/ticket-get.ts'
import { ticketList } from './cases/ticket-list.ts'
import type { Benchmark } from './harness/benchmark.ts'

/** Everything that `npm run bench -- all` runs, in this order. */
export const BENCHMARKS: readonly Benchmark[] = [
  ticketGet,
  ticketList,
  ticketCreate,
  ingest,
  delivery,
  deliveryLatency,
  buildOverhead,
  authCost,
  ship,
  coldStart,
  memory,
]
