import * as z from 'zod'
import type { TraceItem } from '../telemetry/log-events.ts'

const Filter = z.union([
  z.object({ sampling_rate: z.number().min(0).max(1) }),
  z.object({ outcome: z.array(z.string()) }),
  z.object({ method: z.array(z.string()) }),
  z.object({ header: z.object({ key: z.string(), query: z.string().optional() }) }),
  z.object({ client_ip: z.array(z.string()) }),
  z.object({ query: z.string() }),
])
export type TailFilter = z.output<typeof Filter>

/** The options of `wrangler tail`: --status, --method, --header, --ip-address, --search, --sampling-rate. */
export const TailFilters = z.object({ filters: z.array(Filter).max(20).default([]) })

/** Returns whether all filters let the item pass. `random` is between 0 and 1 and decides for the sampling rate. */
export function passesFilters(item: TraceItem, filters: TailFilter[], random = Math.random()): boolean {
  return filters.every((filter) => passesFilter(item, filter, random))
}

/** Replaces `self` in address filters by the address of the client that creates the session, as the provider does. */
export function withOwnAddress(filters: TailFilter[], address: string | undefined): TailFilter[] {
  const own = (address ?? '').replace(/^::ffff:/, '')
  return filters.map((filter) =>
    'client_ip' in filter
      ? { client_ip: filter.client_ip.map((one) => (one === 'self' ? own : one)) }
      : filter,
  )
}

function passesFilter(item: TraceItem, filter: TailFilter, random: number): boolean {
  const request = item.event?.request
  const readHeader = (name: string) => request?.headers[name.toLowerCase()]
  if ('sampling_rate' in filter) return random < filter.sampling_rate
  if ('outcome' in filter) return filter.outcome.includes(item.outcome)
  if ('method' in filter) {
    return filter.method.some((method) => method.toUpperCase() === request?.method.toUpperCase())
  }
  if ('header' in filter) {
    const value = readHeader(filter.header.key)
    return value !== undefined && value.includes(filter.header.query ?? '')
  }
  if ('client_ip' in filter) return filter.client_ip.includes(readHeader('cf-connecting-ip') ?? '')
  const texts = [...item.logs.flatMap((log) => log.message), ...item.exceptions.map(({ message }) => message)]
  return texts.some((text) =>
    (typeof text === 'string' ? text : JSON.stringify(text))?.includes(filter.query),
  )
}
