import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hasCode } from './system-error.ts'

interface Owner {
  pid: number
  startedAt: string
}

/** Whether a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

/** When a process began, in the system's own words: tells a reused process id from the process itself. */
export function startTimeOf(pid: number): string {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // Field 22; the program's name in field 2 may hold spaces and parentheses.
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

/**
 * Makes this process the only owner of an embedded database: two services would each restart and stop the
 * other's server. A lock left by a dead process is taken over. Returns the function that gives it back.
 */
export function takeOwnership(lockFile: string): () => void {
  const mine = `${lockFile}.${process.pid}-${performance.now()}`
  writeFileSync(mine, JSON.stringify({ pid: process.pid, startedAt: startTimeOf(process.pid) }), {
    mode: 0o600,
  })
  try {
    for (let attempt = 0; !tryLink(mine, lockFile); attempt++) {
      const owner = readOwner(lockFile)
      if (
        attempt === 3 ||
        (owner !== null && isAlive(owner.pid) && startTimeOf(owner.pid) === owner.startedAt)
      ) {
        throw new Error(
          `Another service (process ${owner?.pid ?? 'unknown'}) owns the embedded database of this data directory; use DATABASE_URL for several processes.`,
        )
      }
      discardStale(lockFile, owner)
    }
  } finally {
    rmSync(mine, { force: true })
  }
  return () => rmSync(lockFile, { force: true })
}

// link() is the one way to create a file that is complete the moment it is visible.
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

function readOwner(lockFile: string): Owner | null {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')) as Owner
  } catch {
    return null
  }
}

// Renamed before it is removed: of two starters that both saw the stale lock, one may already hold a fresh one.
function discardStale(lockFile: string, stale: Owner | null): void {
  const aside = `${lockFile}.stale-${process.pid}`
  try {
    renameSync(lockFile, aside)
    const moved = readOwner(aside)
    if (moved?.pid !== stale?.pid) tryLink(aside, lockFile)
    rmSync(aside, { force: true })
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}
