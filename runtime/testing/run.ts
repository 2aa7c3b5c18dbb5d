import { rejectWhenStalled } from './progress.ts'
import { collectTests, type TestResult } from './suite.ts'

interface Suite {
  file: string
  load: () => Promise<unknown>
}

/** Runs the tests one after the other. GET `/run` returns their results. */
export function runSuites(suites: Suite[]): { fetch(request: Request): Promise<Response> } {
  return {
    async fetch(request) {
      if (new URL(request.url).pathname !== '/run') return new Response(null, { status: 404 })
      const results: TestResult[] = []
      for (const suite of suites) results.push(...(await runSuite(suite)))
      return Response.json(results)
    },
  }
}

async function runSuite({ file, load }: Suite): Promise<TestResult[]> {
  try {
    const results: TestResult[] = []
    for (const { name, run } of await collectTests(load)) results.push(await runTest(file, name, run))
    return results
  } catch (error) {
    return [{ name: 'the file loads', file, ok: false, ms: 0, error: errorText(error) }]
  }
}

async function runTest(file: string, name: string, run: () => unknown): Promise<TestResult> {
  // Measured with `performance` instead of `Date`, because a test may change the time that `Date` returns.
  const start = performance.now()
  const ms = () => Math.round(performance.now() - start)
  try {
    await rejectWhenStalled(run)
    return { name, file, ok: true, ms: ms(), error: null }
  } catch (error) {
    return { name, file, ok: false, ms: ms(), error: errorText(error) }
  }
}

const errorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
