import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { loadWithAutocannon } from './autocannon.ts'
import { cpuTimeUs } from './cpu.ts'
import { type Load, LoadResult } from './load-run.ts'
import { makeFolder } from './folders.ts'
import type { Sample } from './rounds.ts'

const CONNECTION_COUNT = 16
const WARM_UP_SECONDS = 1

// Checked once, so that all measurements use the same load generator: figures of wrk and autocannon are not comparable.
let hasWrk: boolean | undefined

/**
 * Warms up, then sends requests to `url` for `seconds`. Also measures the CPU time of the processes that
 * serve them (`pids`).
 */
export async function measureLoad(
  url: string,
  load: Load,
  options: { seconds: number; pids: number[]; refused?: boolean },
): Promise<Sample> {
  await generate(url, load, WARM_UP_SECONDS)
  const before = cpuTimeUs(options.pids)
  const result = await generate(url, load, options.seconds)
  const usedUs = cpuTimeUs(options.pids) - before
  return {
    perSecond: result.requests / result.seconds,
    // With `refused`, every response must be a refusal, so successful responses count as errors.
    errors: options.refused === true ? result.requests - result.errors : result.errors,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuUs: usedUs / Math.max(1, result.requests),
  }
}

/** Sends the requests of `load` to `url` with wrk, or with autocannon where wrk is not installed. */
export function generate(url: string, load: Load, seconds: number): Promise<LoadResult> {
  hasWrk ??= spawnSync('wrk', ['--version']).error === undefined
  return hasWrk
    ? loadWithWrk(url, load, seconds)
    : loadWithAutocannon(url, load, { seconds, connections: load.connections ?? CONNECTION_COUNT })
}

async function loadWithWrk(url: string, load: Load, seconds: number): Promise<LoadResult> {
  const folder = makeFolder()
  const lines = join(folder, 'requests')
  writeFileSync(lines, load.paths.map((path) => `${load.method} ${path}\n`).join(''))
  const files = [lines]
  if (load.body !== undefined) {
    files.push(join(folder, 'body'))
    writeFileSync(join(folder, 'body'), load.body)
  }
  const headers = Object.entries(load.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const shape = ['-t1', `-c${load.connections ?? CONNECTION_COUNT}`, `-d${seconds}s`, '--timeout', '10s']
  const script = ['-s', join(import.meta.dirname, 'wrk.lua')]
  const args = [...shape, ...script, ...headers, url, '--', ...files]
  const { stdout } = await promisify(execFile)('wrk', args)
  const last = stdout.split('\n').findLast((line) => line.startsWith('{'))
  if (last === undefined) throw new Error(`wrk said: ${stdout}`)
  return LoadResult.parse(JSON.parse(last))
}
