import { readdirSync, readlinkSync } from 'node:fs'

/** Returns the ids of all processes whose working directory is `folder` or below it. Only on Linux, because it reads `/proc`. */
function processesBelow(folder: string): number[] {
  const listed = process.platform === 'linux' ? readdirSync('/proc') : []
  return listed
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => {
      try {
        return `${readlinkSync(`/proc/${entry}/cwd`)}/`.startsWith(`${folder}/`)
      } catch {
        // The process has ended since `/proc` was listed, or it belongs to another user.
        return false
      }
    })
    .map(Number)
}

/** Kills every process whose working directory is `folder` or below it. Returns the number of these processes. */
export function killProcessesIn(folder: string): number {
  const found = processesBelow(folder)
  for (const pid of found) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has ended in the meantime.
    }
  }
  return found.length
}
