import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { killHard, readProcess } from './processes.ts'

export interface RunFile {
  pid: number
  startedAt: string
}

/** `workerd.sh` writes the file before it becomes workerd. Returns null when it is missing or incomplete. */
export function readRunFile(path: string): RunFile | null {
  try {
    const { pid, startedAt } = JSON.parse(readFileSync(path, 'utf8')) as Partial<RunFile>
    return typeof pid === 'number' && typeof startedAt === 'string' ? { pid, startedAt } : null
  } catch {
    return null
  }
}

/**
 * Kills every workerd that a dead process left, and removes its temporary folders. A pid may have been reused, so only a workerd
 * with the recorded start time is killed. Returns how many were killed.
 */
export async function sweepOrphans(runDir: string, tmpDir: string): Promise<number> {
  const killed: number[] = []
  for (const name of readdirSync(runDir)) {
    const path = join(runDir, name)
    const run = readRunFile(path)
    if (run !== null && isSameWorkerd(run)) {
      killHard(run.pid)
      killed.push(run.pid)
    }
    rmSync(path, { force: true })
  }
  // Two workerd processes cannot share a state folder, so wait for the end of these.
  while (killed.some((pid) => readProcess(pid) !== null)) await sleep(10)
  for (const name of readdirSync(tmpDir)) {
    if (name.startsWith('miniflare-')) rmSync(join(tmpDir, name), { recursive: true, force: true })
  }
  return killed.length
}

function isSameWorkerd(run: RunFile): boolean {
  const state = readProcess(run.pid)
  if (state === null || !state.command.includes('workerd')) return false
  return run.startedAt === '' || state.startedAt === run.startedAt
}
