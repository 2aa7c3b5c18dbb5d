interface TestCase {
  name: string
  run: () => unknown
}

export interface TestResult {
  name: string
  file: string
  ok: boolean
  ms: number
  error: string | null
}

let collectedTests: TestCase[] | null = null

/** Declares a test. Its name states in plain words what the app guarantees. */
export function test(name: string, run: () => unknown): void {
  if (collectedTests === null) throw new Error('test() belongs at the top of a file in tests/')
  collectedTests.push({ name, run })
}

/** Returns the tests that one test file declares. `load` imports the file. */
export async function collectTests(load: () => Promise<unknown>): Promise<TestCase[]> {
  const found: TestCase[] = []
  collectedTests = found
  try {
    await load()
  } finally {
    collectedTests = null
  }
  return found
}
