import { atLeast, atMost, type Benchmark } from '../harness/benchmark.ts'
import { seededId } from '../harness/key.ts'
import { compareReads } from '../worlds/read.ts'

// The number of tickets to read. The tickets are spread over the whole table, so that reads do not always hit the same cached page.
const ID_COUNT = 2000

export const ticketGet: Benchmark = {
  id: 'P1',
  name: 'ticket-get',
  measures: 'GET one ticket by key',
  goals: ['requests >= 0.50 of hono-pg', 'CPU <= 2.2 of hono-pg'],
  tools: ['wrk'],
  run: (options) =>
    compareReads(options, {
      requests: atLeast(0.5),
      cpu: atMost(2.2),
      paths: (rows) =>
        Array.from({ length: ID_COUNT }, (_, i) => {
          const number = Math.floor((i * 7919 * rows) / ID_COUNT) % rows
          return `/api/v1/projects/${seededId('prj', number % 10)}/tickets/${seededId('tkt', number)}`
        }),
    }),
}
