import { readdirSync, readFileSync } from 'node:fs'

/** Microseconds per clock tick: `USER_HZ` is 100 for every program on Linux. */
const TICK_US = 10_000

interface Usage {
  parent: number
  own: number
  reaped: number
}

/**
 * Returns the CPU time in microseconds that these processes and all processes below them have used. Includes child processes that have
 * ended, such as idle backends of Postgres: the kernel adds their time to the parent's time (`cutime`).
 */
export function cpuTimeUs(roots: readonly number[]): number {
  const all = new Map<number, Usage>()
  for (const name of readdirSync('/proc')) {
    const usage = /^\d+$/.test(name) ? readUsage(name) : null
    if (usage !== null) all.set(Number(name), usage)
  }
  let ticks = 0
  const pending = [...roots]
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    const usage = all.get(pid)
    if (usage === undefined) continue
    ticks += usage.own + usage.reaped
    for (const [child, { parent }] of all) if (parent === pid) pending.push(child)
  }
  return ticks * TICK_US
}

function readUsage(pid: string): Usage | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command's name (field 2) is in parentheses and may itself contain spaces and parentheses, so field 3
    // begins after the last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const field = (number: number) => Number(fields[number - 3])
    return { parent: field(4), own: field(14) + field(15), reaped: field(16) + field(17) }
  } catch {
    return null
  }
}
