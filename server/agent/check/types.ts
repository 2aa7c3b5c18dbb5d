import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { type CheckError, errorAt } from './errors.ts'
import { runTool } from './tool.ts'

const TIMEOUT_MS = 20_000
const DIAGNOSTIC = /^(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)$/
const GLOBAL_DIAGNOSTIC = /^error (TS\d+): (.*)$/

const compiler = findCompiler()

/**
 * The compiler lives for a third of a second: collecting garbage costs it more than the memory is worth, up to a
 * limit that keeps a huge app from taking the machine.
 */
const MEMORY = { GOGC: 'off', GOMEMLIMIT: '1GiB' }
/** With two cores the other one is busy with bundling and booting: threads would only get in each other's way. */
const THREADS = availableParallelism() <= 2 ? ['--singleThreaded'] : []

/** Type-checks the tree written at `folder` with its locked tsconfig. */
export async function checkTypes(tree: ReadonlyMap<string, string>, folder: string): Promise<CheckError[]> {
  const command = [compiler, '--project', folder, '--noEmit', '--pretty', 'false', ...THREADS]
  const run = await runTool(command, {
    cwd: folder,
    env: { ...process.env, ...MEMORY },
    timeoutMs: TIMEOUT_MS,
  })
  if (run.timedOut) {
    const message = `The type check took longer than ${TIMEOUT_MS / 1000} s.`
    return [errorAt(tree, { phase: 'types', file: 'tsconfig.json', code: 'timeout', message })]
  }
  const errors = parseDiagnostics(tree, run.stdout)
  if (run.code === 0 || errors.length > 0) return errors
  throw new Error(`the TypeScript compiler failed (${run.code}): ${(run.stderr || run.stdout).slice(0, 500)}`)
}

function parseDiagnostics(tree: ReadonlyMap<string, string>, output: string): CheckError[] {
  const found: { file: string; line: number; column: number; code: string; message: string }[] = []
  for (const text of output.split('\n')) {
    const [, file, line, column, code, message] = DIAGNOSTIC.exec(text) ?? []
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

/** The npm package is a launcher; its native program lies in a package named after the platform. */
function findCompiler(): string {
  const require = createRequire(import.meta.resolve('typescript/package.json'))
  const platform = `@typescript/typescript-${process.platform}-${process.arch}/package.json`
  const file = join(
    dirname(require.resolve(platform)),
    'lib',
    process.platform === 'win32' ? 'tsc.exe' : 'tsc',
  )
  if (!existsSync(file)) throw new Error(`no TypeScript compiler for this platform at ${file}`)
  return file
}
