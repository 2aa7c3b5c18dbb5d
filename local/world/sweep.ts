import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { sendSigkill, readProcess } from './processes.ts'

const RunFile = z.object({ pid: z.number(), startedAt: z.string() })
export type RunFile = z.output<typeof RunFile>

/** Reads the file that `workerd.sh` writes before it starts workerd. Returns null when the file is missing or incomplete. */
export function readRunFile(path: string): RunFile | null {
  try {
    return RunFile.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}

/**
 * Kills every workerd that the files in `runDir` name, and removes the temporary folders of miniflare. Called when no other local world
 * uses the data directory, so each of these processes is an orphan. When a file contains a start time, kills only a process with that
 * start time, because a pid may have been reused. Returns the number of killed processes.
 */
export async function sweepOrphans(runDir: string, tmpDir: string): Promise<number> {
  const killed: number[] = []
  for (const name of readdirSync(runDir)) {
    const path = join(runDir, name)
    const run = readRunFile(path)
    if (run !== null && isSameWorkerd(run)) {
      sendSigkill(run.pid)
      killed.push(run.pid)
    }
    rmSync(path, { force: true })
  }
  // Wait until the killed processes have ended, because a new workerd cannot share a state folder with them.
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
