import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Sandbox, SandboxFailure } from '../sandbox/sandbox.ts'
import { checkTests } from './app-tests.ts'
import type { BootInput } from './boot.ts'

/** Runs the phase `tests` for an app with these files. The app's test worker returns the result of `answer` or fails with its error. */
async function check(
  files: Record<string, string>,
  given: {
    answer?: () => { status: number; body: string }
    collections?: number
    testsFailure?: SandboxFailure
  } = {},
) {
  const asked: unknown[] = []
  const sandbox = {
    get: async (worker: string, path: string) => {
      asked.push([worker, path])
      return given.answer?.() ?? { status: 200, body: '[]' }
    },
  } as unknown as Sandbox
  const input = { tree: new Map(Object.entries(files)), workers: [] } as unknown as BootInput
  const { errors } = await checkTests(input, {
    sandbox,
    testsFailure: given.testsFailure ?? null,
    collections: given.collections ?? 0,
  })
  return { errors: errors.map(({ file, line, code, message }) => ({ file, line, code, message })), asked }
}
const answering = (body: unknown, status = 200) => ({
  answer: () => ({ status, body: typeof body === 'string' ? body : JSON.stringify(body) }),
})
const TESTS = { 'tests/shop.test.ts': 'test()' }
const REQUIRED = {
  file: 'tests',
  line: 0,
  code: 'tests_required',
  message: 'An app with a collection, a route or a handler needs at least one test in tests/*.test.ts.',
}

describe('the tests of an app in a check', () => {
  test('an app without collections, routes and handlers needs no tests', async () => {
    for (const files of [
      {},
      { 'server/routes.ts': 'export const routes = new Hono()' },
      { 'tests/helper.ts': '' },
    ])
      assert.deepEqual(await check(files), { errors: [], asked: [] })
  })

  test('an app with a collection, a route or a handler needs a test', async () => {
    assert.deepEqual((await check({}, { collections: 1 })).errors, [REQUIRED])
    assert.deepEqual((await check({ 'server/jobs/mail.ts': '' })).errors, [REQUIRED])
    for (const route of ["routes.get('/a')", "routes\n  .post('/a')", "routes . all ('*')"])
      assert.deepEqual((await check({ 'server/routes.ts': route })).errors, [REQUIRED], route)
    for (const none of ["myroutes.get('/a')", 'routes.use(x)', 'routes.getter'])
      assert.deepEqual((await check({ 'server/routes.ts': none })).errors, [], none)
  })

  test('only a file named *.test.ts or *.test.tsx under tests/ counts as a test file', async () => {
    for (const path of ['tests/shop.ts', 'tests/.test.ts', 'server/shop.test.ts', 'tests/shop.test.js'])
      assert.deepEqual((await check({ [path]: '' }, { collections: 1 })).errors, [REQUIRED], path)
    for (const path of ['tests/shop.test.tsx', 'tests/deep/shop.test.ts'])
      assert.deepEqual(
        (await check({ [path]: '' }, { collections: 1, ...answering([{ name: 'a', file: 'a', ok: true }]) }))
          .errors,
        [],
      )
  })

  test("only a failing app test adds an error, with the test's name and the message without the stack", async () => {
    const results = [
      { name: 'sells', file: 'shop.test.ts', ok: true },
      {
        name: 'refunds',
        file: 'shop.test.ts',
        ok: false,
        error: 'Error: 1 !== 2\nand more\n    at refund (x.js:1:1)\n    at y',
      },
      { name: 'closes', file: 'gone.test.ts', ok: false },
    ]
    const { errors, asked } = await check(TESTS, answering(results))
    const at = { file: 'tests/shop.test.ts', line: 0, code: 'test_failed' }
    assert.deepEqual(errors, [
      { ...at, message: 'refunds: Error: 1 !== 2\nand more' },
      { ...at, message: 'closes: failed' },
    ])
    assert.deepEqual(asked, [['tests', '/run']])
  })

  test('an app whose test files contain no test fails its check', async () => {
    const empty = {
      file: 'tests/shop.test.ts',
      line: 0,
      code: 'crash',
      message: 'The test files contain no test.',
    }
    assert.deepEqual((await check(TESTS, answering([]))).errors, [empty])
  })

  test('a malformed response of the test worker is reported as an error of the app', async () => {
    for (const [body, status] of [
      ['<html>', 200],
      [{ name: 'a' }, 200],
      [[{ name: 'a', ok: true }], 200],
      ['thrown', 500],
    ] as const) {
      const { errors } = await check(TESTS, answering(body, status))
      const said = typeof body === 'string' ? body : JSON.stringify(body)
      assert.deepEqual(errors, [
        {
          file: 'tests/shop.test.ts',
          line: 0,
          code: 'crash',
          message: `No usable answer from tests: ${said}`,
        },
      ])
    }
  })

  test('app tests that time out or crash are reported as an error of the app, and an internal error of the service is thrown', async () => {
    const failing = (error: Error) => ({
      answer: () => {
        throw error
      },
    })
    const at = { file: 'tests/shop.test.ts', line: 0 }
    assert.deepEqual((await check(TESTS, failing(new SandboxFailure('timeout', 'late', 'tests')))).errors, [
      { ...at, code: 'timeout', message: 'The tests did not end in time and were stopped.' },
    ])
    assert.deepEqual(
      (await check(TESTS, failing(new SandboxFailure('crash', 'out of memory', 'tests')))).errors,
      [{ ...at, code: 'crash', message: 'out of memory' }],
    )
    await assert.rejects(check(TESTS, failing(new Error('no sandbox'))), /no sandbox/)
  })

  test("an app's tests that cannot be loaded are not run and are reported with the first line of the reason", async () => {
    const testsFailure = new SandboxFailure('startup', 'x is not defined\n    at main.js', 'tests')
    assert.deepEqual(await check(TESTS, { testsFailure, collections: 1 }), {
      errors: [
        {
          file: 'tests/shop.test.ts',
          line: 0,
          code: 'startup',
          message: 'The tests could not be loaded: x is not defined',
        },
      ],
      asked: [],
    })
  })
})
