import { availableParallelism } from 'node:os'
import { findCompiler } from './compiler.ts'
import { type CheckError, errorAt } from '../../check-report.ts'
import { runTool } from '../program.ts'
import { refuseOutsideFiles } from './outside-files.ts'

const DIAGNOSTIC_LINE = /^(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)$/
const GLOBAL_DIAGNOSTIC = /^error (TS\d+): (.*)$/

/**
 * The compiler runs for a third of a second. For this time, collecting garbage costs more than it saves. The limit keeps a huge app below
 * the memory limit of the check process.
 */
const MEMORY_SETTINGS = { GOGC: 'off', GOMEMLIMIT: '768MiB' }
/** With two cores, the second core is busy with bundling and booting, so more threads would only slow down both. */
const THREAD_FLAGS = availableParallelism() <= 2 ? ['--singleThreaded'] : []

/** Runs a new compiler over the tree written at `target`. Returns null when the compiler took too long. */
export async function compileCold(
  tree: ReadonlyMap<string, string>,
  target: string,
  timeoutMs: number,
  packages: string | null = null,
): Promise<CheckError[] | null> {
  const options = ['--project', target, '--noEmit', '--pretty', 'false', '--listFiles']
  const command = [findCompiler(), ...options, ...THREAD_FLAGS]
  const run = await runTool(command, { cwd: target, env: { ...process.env, ...MEMORY_SETTINGS }, timeoutMs })
  if (run.timedOut) return null
  const strangers = refuseOutsideFiles(tree, target, run.stdout.split('\n'), packages)
  if (strangers.length > 0) return strangers
  const errors = parseDiagnostics(tree, run.stdout.replaceAll(`${target}/`, ''))
  if (run.code === 0 || errors.length > 0) return errors
  if (/cannot allocate memory|out of memory/.test(run.stderr)) {
    const message = 'The type check used up its memory and was stopped.'
    return [errorAt(tree, { phase: 'types', file: 'tsconfig.json', code: 'memory', message })]
  }
  throw new Error(`the TypeScript compiler failed (${run.code}): ${(run.stderr || run.stdout).slice(0, 500)}`)
}

function parseDiagnostics(tree: ReadonlyMap<string, string>, output: string): CheckError[] {
  const found: { file: string; line: number; column: number; code: string; message: string }[] = []
  for (const text of output.split('\n')) {
    const [, file, line, column, code, message] = DIAGNOSTIC_LINE.exec(text) ?? []
    const [, globalCode, globalMessage] = GLOBAL_DIAGNOSTIC.exec(text) ?? []
    if (file && code && message !== undefined) {
      found.push({
        file: file.replaceAll('\\', '/'),
        line: Number(line),
        column: Number(column),
        code,
        message,
      })
    } else if (globalCode && globalMessage !== undefined) {
      found.push({ file: 'tsconfig.json', line: 0, column: 0, code: globalCode, message: globalMessage })
    } else if (text.startsWith(' ')) {
      const last = found.at(-1)
      if (last) last.message += `\n${text}`
    }
  }
  return found.map((item) => errorAt(tree, { phase: 'types', ...item }))
}
