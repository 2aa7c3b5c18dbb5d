import * as z from 'zod'
import { type BootInput, locate } from './boot.ts'
import { type CheckError, type CheckFindings, errorAt } from '../../check-report.ts'
import { timeoutOnBusyMachine } from '../program.ts'
import { parseSandboxResponse, type Sandbox, SandboxFailure } from '../sandbox/sandbox.ts'

const TIMEOUT_MS = 15_000
const OWN_ROUTE = /\broutes\s*\.\s*(?:get|post|put|patch|delete|all|on|route)\s*\(/

const TestResult = z.object({
  name: z.string(),
  file: z.string(),
  ok: z.boolean(),
  error: z.string().nullish(),
})
type TestResult = z.infer<typeof TestResult>

/** Runs the app's own tests against the booted app. A missing test is an error for an app with a collection, a route or a job. */
export async function checkTests(
  input: BootInput,
  booted: { sandbox: Sandbox; testsFailure: SandboxFailure | null; collections: number },
): Promise<CheckFindings> {
  const { tree } = input
  if (booted.testsFailure) return { errors: [notLoaded(input, booted.testsFailure)] }
  if (hasTests(tree)) return { errors: await runTests(input, booted.sandbox) }
  const needed =
    booted.collections > 0 || OWN_ROUTE.test(tree.get('server/routes.ts') ?? '') || hasHandlers(tree)
  const message = 'An app with a collection, a route or a handler needs at least one test in tests/*.test.ts.'
  return {
    errors: needed ? [errorAt(tree, { phase: 'tests', file: 'tests', code: 'tests_required', message })] : [],
  }
}

async function runTests(input: BootInput, sandbox: Sandbox): Promise<CheckError[]> {
  try {
    const response = await sandbox.get('tests', '/run', timeoutOnBusyMachine(TIMEOUT_MS))
    const results = parseSandboxResponse(z.array(TestResult), response, 'tests')
    if (results.length === 0) throw new SandboxFailure('crash', 'The test files contain no test.')
    return results.filter((result) => !result.ok).map((result) => failedTestError(input, result))
  } catch (error) {
    if (!(error instanceof SandboxFailure)) throw error
    const message =
      error.code === 'timeout' ? 'The tests did not end in time and were stopped.' : error.message
    return [errorAt(input.tree, { phase: 'tests', file: firstTest(input.tree), code: error.code, message })]
  }
}

function notLoaded(input: BootInput, failure: SandboxFailure): CheckError {
  const message = `The tests could not be loaded: ${failure.message.split('\n')[0]}`
  const file = firstTest(input.tree)
  return locate(input, { phase: 'tests', file, code: failure.code, message, stack: failure.message })
}

function failedTestError(input: BootInput, result: TestResult): CheckError {
  const stack = result.error ?? 'failed'
  const message = `${result.name}: ${stack.split(/\n\s*at /)[0]}`
  const file =
    [result.file, `tests/${result.file}`].find((path) => input.tree.has(path)) ?? firstTest(input.tree)
  return locate(input, { phase: 'tests', file, code: 'test_failed', message, stack })
}

function hasTests(tree: ReadonlyMap<string, string>): boolean {
  return [...tree.keys()].some((path) => /^tests\/.+\.test\.tsx?$/.test(path))
}

function firstTest(tree: ReadonlyMap<string, string>): string {
  return [...tree.keys()].find((path) => path.startsWith('tests/')) ?? 'tests'
}

function hasHandlers(tree: ReadonlyMap<string, string>): boolean {
  return [...tree.keys()].some((path) => path.startsWith('server/jobs/'))
}
