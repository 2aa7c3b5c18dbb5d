import { spawn } from 'node:child_process'
import { ROOT } from '../lib.ts'

/** Test files that run in one process, one after another. */
export interface TestGroup {
  name: string
  files: string[]
}

export interface TestResult {
  name: string
  isGreen: boolean
  tests: number
  ms: number
  output: string
}

/** The time limit of a single test, and also of a `describe`, which may contain a whole file. */
const TEST_MS_MAX = 300_000
/** The time limits of a file with its own process and of a group. A process that hangs must not block the others. */
const FILE_MS_MAX = 600_000
const GROUP_MS_MAX = 2_400_000
const SOAK_MS_MAX = 3_600_000
const PIPE_MS_MAX = 2000
/** Prepares a process for component tests. This module replaces globals, so no other group loads it. */
const COMPONENT_WORLD = './console/testing/register.ts'

/** The process ids of the running groups, which are ended with everything they started when this process exits. */
const runningGroups = new Set<number>()
process.once('exit', () => runningGroups.forEach(endProcessGroup))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

/** Runs the files in one new process, and ends every process that they left running. */
export function runGroup({ name, files }: TestGroup, { isSoak }: { isSoak: boolean }): Promise<TestResult> {
  const began = performance.now()
  const child = spawn(
    process.execPath,
    [
      '--test',
      '--test-isolation=none',
      // Exit when the tests are done, even when they left handles open.
      '--test-force-exit',
      '--test-reporter=spec',
      `--test-timeout=${isSoak ? SOAK_MS_MAX : TEST_MS_MAX}`,
      ...(files.some((file) => file.endsWith('.tsx')) ? ['--import', COMPONENT_WORLD] : []),
      ...files,
    ],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_ENV: 'test', ...(isSoak && { SLIPWAY_SOAK: 'on' }) },
      detached: true,
    },
  )
  const { pid } = child
  if (pid !== undefined) runningGroups.add(pid)
  let output = ''
  const take = (chunk: Buffer) => (output += chunk.toString())
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  return new Promise((resolve, reject) => {
    const limit = setTimeout(
      () => {
        output += `\n${name} did not end in time\n`
        endProcessGroup(pid)
      },
      isSoak ? SOAK_MS_MAX : files.length === 1 ? FILE_MS_MAX : GROUP_MS_MAX,
    )
    child.once('error', reject)
    child.once('exit', () => {
      clearTimeout(limit)
      endProcessGroup(pid)
      if (pid !== undefined) runningGroups.delete(pid)
      // A process that outlived the group may keep the pipes open. All output has arrived by then, so close them.
      setTimeout(() => [child.stdout, child.stderr].forEach((pipe) => pipe.destroy()), PIPE_MS_MAX).unref()
    })
    child.once('close', (code) => {
      const tests = Number(/^ℹ tests (\d+)$/m.exec(output)?.[1] ?? 0)
      resolve({ name, isGreen: code === 0, tests, ms: performance.now() - began, output })
    })
  })
}

/** Returns the files of the failed tests, from the runner's summary. Empty when the process ended before the summary. */
export function failedFiles({ output }: Pick<TestResult, 'output'>): string[] {
  const places = output.matchAll(/^test at (.+\.test\.tsx?):\d+:\d+$/gm)
  return [...new Set(Array.from(places, ([, file = '']) => file))]
}

function endProcessGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process group has ended already.
  }
}
