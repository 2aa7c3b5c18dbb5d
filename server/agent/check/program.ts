import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { childrenOf, processOf } from '../children/processes.ts'

const OUTPUT_BYTES_MAX = 8 * 1024 * 1024
const SETPRIV_PATH = '/usr/bin/setpriv'
const CAN_LIST_PROCESSES = existsSync('/proc/self/task')

/** Programs of a check that keep running between checks, or in parallel with the check. */
type CheckProgram = 'tsc' | 'workerd'

/**
 * On Linux, a program started through this prefix dies with the thread that started it, so a killed check process leaves nothing
 * running. The list is empty without `setpriv`, as on other systems.
 */
export const DIE_WITH_PARENT: readonly string[] = existsSync(SETPRIV_PATH)
  ? [SETPRIV_PATH, '--no-new-privs', '--pdeathsig', 'KILL', '--']
  : []

const BUSY_FACTOR_MAX = 4
// The load is measured for the whole machine, so count all of its cores. In a container, `availableParallelism` is only the
// container's share, and `cpus` is empty where the cores cannot be read.
const MACHINE_CORES = cpus().length || availableParallelism()

/**
 * Returns the time limit for work that may take `timeoutMs` on a free core. While more programs run than there are cores, the limit is
 * multiplied by the number of programs per core, at most by `BUSY_FACTOR_MAX`. The limit must stop an app that runs without end, but not
 * an app that waits for a core.
 */
export function timeoutOnBusyMachine(
  timeoutMs: number,
  [running = 0]: readonly number[] = loadavg(),
  cores = MACHINE_CORES,
): number {
  return Math.round(timeoutMs * Math.min(BUSY_FACTOR_MAX, Math.max(1, running / cores)))
}

export interface ProgramResult {
  code: number | null
  stdout: string
  stderr: string
  timedOut: boolean
}

/**
 * Resolves with output and exit code after at most `timeoutMs`. The output is cut at a limit; a non-zero exit code does not
 * reject.
 */
export async function runTool(
  command: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv; timeoutMs: number },
): Promise<ProgramResult> {
  const [file = '', ...args] = [...DIE_WITH_PARENT, ...command]
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    child.kill('SIGKILL')
  }, options.timeoutMs)
  child.once('error', reject)
  child.once('close', (code) => resolve(code))
  const stdout = collectOutput(child.stdout)
  const stderr = collectOutput(child.stderr)
  const code = await promise.finally(() => clearTimeout(timer))
  return { code, stdout: stdout(), stderr: stderr(), timedOut }
}

function collectOutput(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = []
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= OUTPUT_BYTES_MAX) chunks.push(chunk)
  })
  return () => Buffer.concat(chunks).toString('utf8')
}

/**
 * Kills the child processes of this process that have this name. Works only on Linux. On other systems the child
 * processes end with this process.
 */
export function killPrograms(name: CheckProgram): void {
  for (const pid of childrenOf(process.pid)) {
    if (processOf(pid).name !== name) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The child process has ended in the meantime.
    }
  }
}

/**
 * Returns whether a child process of this process has this name. Always true on systems other than Linux, where child
 * processes cannot be listed.
 */
export function isProgramRunning(name: CheckProgram): boolean {
  return !CAN_LIST_PROCESSES || childrenOf(process.pid).some((pid) => processOf(pid).name === name)
}

let isStopped = false

/** Records that work in this process was abandoned. The process is then replaced after its job. */
export function markStopped(): void {
  isStopped = true
}

export function wasStopped(): boolean {
  return isStopped
}
