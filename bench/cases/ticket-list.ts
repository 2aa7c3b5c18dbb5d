import { atLeast, type Benchmark } from '../harness/benchmark.ts'
import { seededId } from '../harness/key.ts'
import { compareReads } from '../worlds/read.ts'

export const ticketList: Benchmark = {
  id: 'P2',
  name: 'ticket-list',
  measures: 'GET the newest 100 tickets of a project',
  goals: ['requests >= 1.0 of hono-pg'],
  tools: ['wrk'],
  run: (options) =>
    compareReads(options, {
      requests: atLeast(1),
      cpu: null,
      paths: () =>
        Array.from({ length: 10 }, (_, i) => `/api/v1/projects/${seededId('prj', i)}/tickets?limit=100`),
    }),
}
