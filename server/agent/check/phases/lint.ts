import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { type CheckError, errorAt } from '../../check-report.ts'
import { runTool, timeoutOnBusyMachine } from '../program.ts'

const TIMEOUT_MS = 10_000
const LINTED_FOLDERS = ['web', 'server', 'shared', 'tests']

const linterScript = join(dirname(fileURLToPath(import.meta.resolve('oxlint/package.json'))), 'bin', 'oxlint')
const rulesFile = fileURLToPath(new URL('./lint-rules.json', import.meta.url))

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

/** Suggested fixes, for rules whose own help suggests nothing that works in an app. */
const WAYS_OUT: Record<string, string> = {
  'react(purity)':
    'Use useToday() or useNow() of @slipway/app/react for the date and the time. Take a random value or a new id in an event handler, or once with useState(() => ...).',
  'react(set-state-in-effect)':
    'Load data with useQuery or useApi. Otherwise set the state in the event that changes it, derive it while rendering, or set it in a callback of what the effect starts: useEffect(() => { void load().then(setRows) }, []).',
}

/**
 * Lints the app's own folders of the tree written at `folder`, with the rules of the service. Ignores configuration files and
 * plugins in the tree.
 */
export async function checkLint(
  tree: ReadonlyMap<string, string>,
  folder: string,
): Promise<{ errors: CheckError[]; warnings: CheckError[] }> {
  const folders = LINTED_FOLDERS.filter((name) =>
    [...tree.keys()].some((path) => path.startsWith(`${name}/`)),
  )
  const found = { errors: findSlowHashes(tree), warnings: [] as CheckError[] }
  if (folders.length === 0) return found
  const options = ['--config', rulesFile, '--disable-nested-config', '--no-ignore', '--format', 'json']
  const run = await runTool([process.execPath, linterScript, ...options, ...folders], {
    cwd: folder,
    timeoutMs: timeoutOnBusyMachine(TIMEOUT_MS),
  })
  if (run.timedOut) {
    const message = 'Linting did not end in time: the machine is busy.'
    found.errors.push(errorAt(tree, { phase: 'lint', file: '', code: 'timeout', message }))
    return found
  }
  for (const item of readReport(run.stdout, run.stderr)) {
    const span = item.labels[0]?.span
    const code = item.code ?? 'syntax'
    const help = WAYS_OUT[code] ?? item.help
    const error = errorAt(tree, {
      phase: 'lint',
      file: item.filename.replaceAll('\\', '/'),
      line: span?.line ?? 0,
      column: span?.column ?? 0,
      code,
      message: help === undefined ? item.message : `${item.message.replace(/\.$/, '')}. ${help}`,
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

/**
 * Workers in production refuse PBKDF2 with more iterations than this. The local runtime accepts such calls, so a lint
 * rule has to find them.
 */
const PBKDF2_ITERATIONS_MAX = 100_000

const NUMBER_LITERAL = String.raw`(\d[\d_]*(?:\.\d+)?(?:[eE]\d+)?)`
const LITERAL_ITERATIONS = new RegExp(String.raw`\biterations\s*:\s*${NUMBER_LITERAL}\b`, 'g')
const NAMED_ITERATIONS = /\biterations\s*:\s*([A-Za-z_$][\w$]*)|\biterations\b(?=\s*[,}])/g

/** Finds PBKDF2 calls with more iterations than production accepts, given as a number or as a named constant. */
export function findSlowHashes(tree: ReadonlyMap<string, string>): CheckError[] {
  const errors: CheckError[] = []
  for (const [file, text] of tree) {
    if (!/^(?:web|server|shared|tests)\/.*\.tsx?$/.test(file) || !/PBKDF2/i.test(text)) continue
    const report = (at: number, rounds: number) => {
      if (!(rounds > PBKDF2_ITERATIONS_MAX)) return
      const before = text.slice(0, at).split('\n')
      const message = `PBKDF2 with ${rounds} rounds is refused in production; the limit is ${PBKDF2_ITERATIONS_MAX}.`
      const position = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
      errors.push(
        errorAt(tree, { phase: 'lint', file, ...position, code: 'slipway(pbkdf2-rounds)', message }),
      )
    }
    for (const match of text.matchAll(LITERAL_ITERATIONS)) report(match.index, toNumber(match[1]))
    for (const match of text.matchAll(NAMED_ITERATIONS)) {
      report(match.index, constantValue(tree, text, match[1] ?? 'iterations'))
    }
  }
  return errors
}

/**
 * Returns the value of a numeric constant; NaN when the constant is not found. Searches the same file first, then
 * server/ and shared/, because the constant may be imported from these folders.
 */
function constantValue(tree: ReadonlyMap<string, string>, text: string, name: string): number {
  const definition = new RegExp(
    String.raw`\b(?:const|let|var)\s+${name.replaceAll('$', '\\$')}\b[^=\n]*=\s*${NUMBER_LITERAL}\b`,
  )
  const own = definition.exec(text)
  if (own) return toNumber(own[1])
  for (const [file, other] of tree) {
    if (!/^(?:server|shared)\//.test(file)) continue
    const found = definition.exec(other)
    if (found) return toNumber(found[1])
  }
  return Number.NaN
}

function toNumber(literal: string | undefined): number {
  return Number((literal ?? '').replaceAll('_', ''))
}
