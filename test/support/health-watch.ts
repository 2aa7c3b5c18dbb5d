import { readdirSync, readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

const EVERY_MS = 100
const TIMEOUT_MS = 30_000
const LOOP_RESOLUTION_MS = 10
const KB_PER_MB = 1024

export interface Health {
  asked: number
  /** The time of the slowest response, without the time in which the whole machine was stalled. */
  slowestMs: number
  /** Why requests failed; empty when all succeeded. */
  failures: string[]
  /** The maximum memory of the service's own process, in MB. */
  serviceMbMax: number
  /** The maximum memory of one of its child processes, in MB: they check, compile and run apps. */
  childMbMax: number
}

/**
 * Requests /health ten times a second over a separate connection, until `stop`. A busy machine also delays responses, which is not the
 * fault of the service. Each time is therefore reduced by the longer of two delays: the delay of this process's event loop, and the time
 * that the service's main thread waited for a CPU (from /proc).
 */
export function watchHealth(service: { url: string; pid: number }): { stop(): Promise<Health> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })
  loop.enable()
  const seen: Health = { asked: 0, slowestMs: 0, failures: [], serviceMbMax: 0, childMbMax: 0 }
  const stopped = new AbortController()
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      loop.reset()
      const begun = performance.now()
      const queuedMs = queuedMsOf(service.pid)
      const failure = await requestHealth(`${service.url}/health`, agent)
      const tookMs = performance.now() - begun
      // The histogram is empty until the loop has been measured once.
      const lateMs = loop.count === 0 ? 0 : loop.max / 1e6 - LOOP_RESOLUTION_MS
      const stoodMs = Math.max(0, lateMs, queuedMsOf(service.pid) - queuedMs)
      seen.asked += 1
      seen.slowestMs = Math.max(seen.slowestMs, tookMs - stoodMs)
      if (failure !== null) seen.failures.push(failure)
      seen.serviceMbMax = Math.max(seen.serviceMbMax, memoryOf(service.pid))
      seen.childMbMax = Math.max(seen.childMbMax, ...familyOf(service.pid).slice(1).map(memoryOf))
      await sleep(Math.max(2 * LOOP_RESOLUTION_MS, EVERY_MS - tookMs))
    }
  })()
  return {
    stop: async () => {
      stopped.abort()
      await watching
      loop.disable()
      agent.destroy()
      return seen
    },
  }
}

/** Returns why /health did not respond with 200; null when it did respond with 200. */
function requestHealth(url: string, agent: Agent): Promise<string | null> {
  return new Promise((resolve) => {
    const request = get(url, { agent, timeout: TIMEOUT_MS }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode === 200 ? null : `${response.statusCode}`))
    })
    request.once('timeout', () => request.destroy(new Error('no answer')))
    request.once('error', (error: NodeJS.ErrnoException) => {
      // The server may have closed the idle connection just as it was reused, so retry on a new one.
      if (request.reusedSocket && error.code === 'ECONNRESET') return resolve(requestHealth(url, agent))
      resolve(error.message)
    })
  })
}

/** Returns the pids of a process and of its running descendants (Linux). */
export function familyOf(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const fields = /^\d+$/.test(name) ? statOf(Number(name)) : null
    if (fields === null || fields[0] === 'Z') continue
    const parent = Number(fields[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const found = [pid]
  for (const one of found) found.push(...(children.get(one) ?? []))
  return found
}

/** Returns the CPU seconds that each process has used; 0 for a process that has ended. */
export function cpuSecondsOf(pids: number[]): Map<number, number> {
  return new Map(
    pids.map((pid) => {
      const fields = statOf(pid)
      return [pid, fields === null ? 0 : (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND]
    }),
  )
}

// USER_HZ, the number of clock ticks per second in /proc: 100 on x86-64 and arm64.
const TICKS_PER_SECOND = 100

/** Returns the fields of /proc/<pid>/stat, beginning with the process state. The command name before it may contain spaces and brackets. */
function statOf(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

/** Returns how long the main thread of a process was runnable and waited for a CPU; 0 where the kernel does not count it. */
function queuedMsOf(pid: number): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
    return Number(waitedNs ?? 0) / 1e6
  } catch {
    return 0
  }
}

function memoryOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / KB_PER_MB
  } catch {
    return 0
  }
}
