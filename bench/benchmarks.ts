import { appHost } from './cases/app-host.ts'
import { appPeople } from './cases/app-people.ts'
import { appRuntime } from './cases/app-runtime.ts'
import { authCost } from './cases/auth-cost.ts'
import { buildOverhead } from './cases/build-overhead.ts'
import { bundle } from './cases/bundle.ts'
import { capabilities } from './cases/capabilities.ts'
import { cloneToRunning } from './cases/clone-to-running.ts'
import { coldStart } from './cases/cold-start.ts'
import { consoleBenchmark } from './cases/console.ts'
import { deliveryLatency } from './cases/delivery-latency.ts'
import { delivery } from './cases/delivery.ts'
import { exportActivity } from './cases/export.ts'
import { ingest } from './cases/ingest.ts'
import { memory } from './cases/memory.ts'
import { pageCheck } from './cases/page-check.ts'
import { ship } from './cases/ship.ts'
import { sse } from './cases/sse.ts'
import { buildControl } from './cases/stream-control.ts'
import { ticketCounts } from './cases/ticket-counts.ts'
import { ticketCreate } from './cases/ticket-create.ts'
import { ticketGet } from './cases/ticket-get.ts'
import { ticketList } from './cases/ticket-list.ts'
import { ticketSearch } from './cases/ticket-search.ts'
import { ticketTree } from './cases/ticket-tree.ts'
import type { Benchmark } from './harness/benchmark.ts'

/** Everything that `npm run bench -- all` runs, in the order of the list. */
export const BENCHMARKS: readonly Benchmark[] = [
  ticketGet,
  ticketList,
  ticketSearch,
  ticketCreate,
  ticketTree,
  ticketCounts,
  ingest,
  delivery,
  deliveryLatency,
  exportActivity,
  sse,
  buildOverhead,
  buildControl,
  pageCheck,
  bundle,
  authCost,
  ship,
  capabilities,
  appRuntime,
  appPeople,
  appHost,
  cloneToRunning,
  coldStart,
  memory,
  consoleBenchmark,
]
