import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { killHard, readProcess } from './processes.ts'

export interface RunFile {
  pid: number
  startedAt: string
}

/** What `workerd.sh` wrote when it became a workerd; null when it has not yet or is cut off. */
export function readRunFile(path: string): RunFile | null {
  try {
    const { pid, startedAt } = JSON.parse(readFileSync(path, 'utf8')) as Partial<RunFile>
    return typeof pid === 'number' && typeof startedAt === 'string' ? { pid, startedAt } : null
  } catch {
    return null
  }
}

/**
 * Ends every workerd a dead world left behind and removes its temporary folders. A pid alone may belong to
 * somebody else by now: only a workerd with the recorded start time is killed.
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
  // Awaited: two workerd on one state folder do not go together.
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
