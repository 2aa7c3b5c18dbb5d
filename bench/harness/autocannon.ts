import type { Load, LoadResult } from './load-run.ts'

/** The part of autocannon that is used here. The package has no types. */
type Autocannon = (options: {
  url: string
  connections: number
  duration: number
  requests: { method: string; path: string; headers: Record<string, string>; body?: string }[]
}) => PromiseLike<{
  requests: { total: number }
  duration: number
  errors: number
  timeouts: number
  non2xx: number
  latency: { p50: number; p99: number }
}>

/** Sends the same load as wrk, but from a Node process. Autocannon is slower, so it is only for machines without wrk. */
export async function loadWithAutocannon(
  url: string,
  load: Load,
  options: { seconds: number; connections: number },
): Promise<LoadResult> {
  const name = 'autocannon'
  const { default: autocannon } = (await import(name)) as { default: Autocannon }
  const { method, headers, body } = load
  const result = await autocannon({
    url,
    connections: options.connections,
    duration: options.seconds,
    requests: load.paths.map((path) => ({ method, path, headers, ...(body !== undefined && { body }) })),
  })
  return {
    requests: result.requests.total,
    seconds: result.duration,
    errors: result.errors + result.timeouts + result.non2xx,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  }
}
