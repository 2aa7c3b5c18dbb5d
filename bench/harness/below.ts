import { readdirSync, readlinkSync } from 'node:fs'

/** The ids of all processes that work in a folder or below it. Reads `/proc`, so it finds none elsewhere than on Linux. */
function processesBelow(folder: string): number[] {
  const listed = process.platform === 'linux' ? readdirSync('/proc') : []
  return listed
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => {
      try {
        return `${readlinkSync(`/proc/${entry}/cwd`)}/`.startsWith(`${folder}/`)
      } catch {
        // The process has ended since the folder was listed, or it belongs to another user.
        return false
      }
    })
    .map(Number)
}

/** Kills every process that works below a folder, and returns how many there were. */
export function killBelow(folder: string): number {
  const found = processesBelow(folder)
  for (const pid of found) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
  return found.length
}
