import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface ProcessState {
  command: string
  /** Clock ticks since boot (Linux) or a date. Pids are reused, so only pid and start time together identify a process. */
  startedAt: string
  cpuSeconds: number
}

// USER_HZ is 100 on every Linux architecture Node runs on.
const TICKS_PER_SECOND = 100

/** Reads a process from /proc or, where that is missing, with `ps`. Returns null when no process has this id. */
export function readProcess(pid: number): ProcessState | null {
  if (process.platform !== 'linux') return readWithPs(pid)
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the command is in parentheses and may contain spaces, so split the fields after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z') return null
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return {
      command,
      startedAt: fields[19] ?? '',
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
    }
  } catch {
    return null
  }
}

function readWithPs(pid: number): ProcessState | null {
  try {
    const text = execFileSync('ps', ['-o', 'lstart=,time=,command=', '-p', String(pid)], {
      encoding: 'utf8',
    }).trim()
    const match = /^(\S+ +\S+ +\S+ +\S+ +\S+) +([\d:.]+) +(.*)$/s.exec(text)
    if (match === null) return null
    const cpuSeconds = (match[2] ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
    return { startedAt: match[1] ?? '', cpuSeconds, command: match[3] ?? '' }
  } catch {
    return null
  }
}

// The page size on every architecture that workerd supports.
const PAGE_BYTES = 4096

/** Returns the resident memory in bytes, shared pages included; 0 where the system does not report it. A call takes 10 microseconds. */
export function readResidentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES
  } catch {
    return 0
  }
}

/** Returns whether a process runs. A zombie counts as ended. */
export function isAlive(pid: number): boolean {
  return readProcess(pid) !== null
}

/** Sends SIGKILL. Does nothing when the process has ended already. */
export function sendSigkill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has ended meanwhile.
  }
}
