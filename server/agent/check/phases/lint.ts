import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { type CheckError, errorAt } from '../report.ts'
import { findSlowHashes } from './pbkdf2.ts'
import { runTool } from '../program.ts'

const TIMEOUT_MS = 10_000
const FOLDERS = ['web', 'server', 'shared', 'tests']

const linter = join(dirname(fileURLToPath(import.meta.resolve('oxlint/package.json'))), 'bin', 'oxlint')
const rules = fileURLToPath(new URL('./lint-rules.json', import.meta.url))

const Report = z.object({
  diagnostics: z.array(
    z.object({
      message: z.string(),
      code: z.string().optional(),
      severity: z.string(),
      help: z.string().optional(),
      filename: z.string(),
      labels: z.array(z.object({ span: z.object({ line: z.number(), column: z.number() }) })),
    }),
  ),
})

/** Lints the app's own folders of the tree written at `folder`, with our rules and nothing of the tree's. */
export async function checkLint(
  tree: ReadonlyMap<string, string>,
  folder: string,
): Promise<{ errors: CheckError[]; warnings: CheckError[] }> {
  const folders = FOLDERS.filter((name) => [...tree.keys()].some((path) => path.startsWith(`${name}/`)))
  const found = { errors: findSlowHashes(tree), warnings: [] as CheckError[] }
  if (folders.length === 0) return found
  const options = ['--config', rules, '--disable-nested-config', '--no-ignore', '--format', 'json']
  const run = await runTool([process.execPath, linter, ...options, ...folders], {
    cwd: folder,
    timeoutMs: TIMEOUT_MS,
  })
  if (run.timedOut) {
    const message = `Linting took longer than ${TIMEOUT_MS / 1000} s.`
    found.errors.push(errorAt(tree, { phase: 'lint', file: '', code: 'timeout', message }))
    return found
  }
  for (const item of readReport(run.stdout, run.stderr)) {
    const span = item.labels[0]?.span
    const error = errorAt(tree, {
      phase: 'lint',
      file: item.filename.replaceAll('\\', '/'),
      line: span?.line ?? 0,
      column: span?.column ?? 0,
      code: item.code ?? 'syntax',
      message: item.help ? `${item.message} ${item.help}` : item.message,
    })
    if (item.severity === 'error') found.errors.push(error)
    else found.warnings.push(error)
  }
  return found
}

function readReport(stdout: string, stderr: string): z.infer<typeof Report>['diagnostics'] {
  try {
    return Report.parse(JSON.parse(stdout)).diagnostics
  } catch (cause) {
    throw new Error(`the linter gave no report: ${(stderr || stdout).slice(0, 500)}`, { cause })
  }
}
