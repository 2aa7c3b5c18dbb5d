import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Workflow instances as the runtime stores them: one SQLite file each. The runtime cannot list instances, and calling every instance would
 * start them all, so the status is read from the instance's log.
 */

const FOLDER_PREFIX = 'miniflare-workflows-'
const DATABASE_FILE = /^([0-9a-f]{64})\.sqlite$/

/** The status that each log event sets. */
const STATUS_OF_EVENT: Record<number, InstanceStatus> = {
  0: 'queued',
  1: 'running',
  2: 'complete',
  3: 'errored',
  4: 'terminated',
  26: 'running',
  27: 'paused',
  28: 'waitingForPause',
  29: 'waiting',
}

export type InstanceStatus =
  | 'queued'
  | 'running'
  | 'paused'
  | 'errored'
  | 'terminated'
  | 'complete'
  | 'waitingForPause'
  | 'waiting'

const RESTING_STATUSES = new Set<InstanceStatus>(['complete', 'errored', 'terminated', 'paused'])

/** What the file of a workflow instance says about the instance. `createdAt` is in epoch milliseconds. */
export interface InstanceFile {
  objectId: string
  createdAt: number
  status: InstanceStatus
}

/** Returns whether the instance still has work to do: it is not paused and has not ended. */
function isActive({ status }: InstanceFile): boolean {
  return !RESTING_STATUSES.has(status)
}

const folderOf = (stateDir: string, workflowId: string) =>
  join(stateDir, 'workflows', FOLDER_PREFIX + workflowId)

/** Reads the files of all instances, newest first, without starting the process that runs them. */
export function listInstanceFiles(stateDir: string, workflowId: string): InstanceFile[] {
  const folder = folderOf(stateDir, workflowId)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .flatMap((name) => {
      const objectId = DATABASE_FILE.exec(name)?.[1]
      const file = objectId === undefined ? null : readInstanceFile(join(folder, name), objectId)
      return file === null ? [] : [file]
    })
    .sort((a, b) => b.createdAt - a.createdAt)
}

/**
 * The file that lists instances to resume. Resuming pauses an instance for a moment. If the process ends in that moment, this file tells
 * the next process to resume the instance.
 */
const resumingPath = (stateDir: string, workflowId: string) =>
  join(stateDir, 'workflows', `resuming-${workflowId}`)

/**
 * Returns the instances that a new process must resume: the active ones, and those that the previous process had paused only in order to
 * resume them (`resumingPath`).
 */
export function listInterruptedInstances(stateDir: string, workflowId: string): string[] {
  const path = resumingPath(stateDir, workflowId)
  const noted = new Set(existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [])
  return listInstanceFiles(stateDir, workflowId)
    .filter((file) => isActive(file) || (file.status === 'paused' && noted.has(file.objectId)))
    .map(({ objectId }) => objectId)
}

/** Lists the instances to resume in the file of `resumingPath`. An empty list deletes the file. */
export function storeResumingInstances(stateDir: string, workflowId: string, objectIds: string[]): void {
  const path = resumingPath(stateDir, workflowId)
  if (objectIds.length === 0) rmSync(path, { force: true })
  else writeFileSync(path, objectIds.join('\n'))
}

/** True when any workflow of a group has an instance that a new process must resume. */
export function hasActiveInstances(stateDir: string): boolean {
  const folder = join(stateDir, 'workflows')
  if (!existsSync(folder)) return false
  return readdirSync(folder)
    .filter((name) => name.startsWith(FOLDER_PREFIX))
    .some((name) => listInterruptedInstances(stateDir, name.slice(FOLDER_PREFIX.length)).length > 0)
}

/** Deletes all instances of a workflow. No process may have the instances open. */
export function removeInstanceFiles(stateDir: string, workflowId: string): void {
  rmSync(folderOf(stateDir, workflowId), { recursive: true, force: true })
}

// How long a paid account keeps ended instances.
const RETENTION_MS = 30 * 24 * 60 * 60_000

/**
 * Deletes instances of deleted workflows and instances that ended more than `RETENTION_MS` ago. No process may have these instances open.
 */
export function sweepInstanceFiles(stateDir: string, workflowIds: string[], now: number): void {
  const folder = join(stateDir, 'workflows')
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const workflowId = name.slice(FOLDER_PREFIX.length)
    if (!name.startsWith(FOLDER_PREFIX)) continue
    if (!workflowIds.includes(workflowId)) removeInstanceFiles(stateDir, workflowId)
    for (const file of listInstanceFiles(stateDir, workflowId)) {
      const path = join(folder, name, `${file.objectId}.sqlite`)
      if (isActive(file) || file.status === 'paused' || statSync(path).mtimeMs > now - RETENTION_MS) continue
      for (const part of [path, `${path}-wal`, `${path}-shm`]) rmSync(part, { force: true })
    }
  }
}

// Cached by path: thousands of ended instances are checked every few seconds and do not change.
const cachedFiles = new Map<string, { changedAt: string; file: InstanceFile | null }>()
const CACHED_FILES_MAX = 20_000

function readInstanceFile(path: string, objectId: string): InstanceFile | null {
  const changedAt = [path, `${path}-wal`].map(changeStamp).join()
  const before = cachedFiles.get(path)
  if (before?.changedAt === changedAt) return before.file
  const logged = readLog(path)
  const file = logged === null ? null : { objectId, ...logged }
  if (cachedFiles.size >= CACHED_FILES_MAX) cachedFiles.clear()
  cachedFiles.set(path, { changedAt, file })
  return file
}

function changeStamp(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.mtimeMs}/${stat.size}`
}

/**
 * Returns null for an instance that never started. Its file exists because the runtime creates a file when an unknown instance is queried.
 */
function readLog(path: string): Pick<InstanceFile, 'createdAt' | 'status'> | null {
  const db = new DatabaseSync(path, { readOnly: true })
  const events = Object.keys(STATUS_OF_EVENT).join()
  try {
    const row = db
      .prepare(
        `SELECT event, (SELECT timestamp FROM states ORDER BY id LIMIT 1) AS at
         FROM states WHERE event IN (${events}) ORDER BY id DESC LIMIT 1`,
      )
      .get() as { event: number; at: string } | undefined
    if (row === undefined) return null
    const status = STATUS_OF_EVENT[row.event] ?? 'running'
    return { createdAt: Date.parse(`${row.at.replace(' ', 'T')}Z`), status }
  } catch {
    // A newer runtime may store events differently. Treat the instance as running, so that the next process resumes it.
    return { createdAt: statSync(path).birthtimeMs, status: 'running' }
  } finally {
    db.close()
  }
}
