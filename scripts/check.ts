import { reportStep, run } from './lib.ts'

/** The checks that CI runs before the tests. Each check runs even when another check fails, so that one run shows every problem. */
const CHECK_STEPS: [what: string, command: string, args: string[]][] = [
  ['format', 'oxfmt', ['--check', '.']],
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['layers, circles, owners of tables and casts of JSON', 'node', ['scripts/structure/check.ts']],
  ['types of server', 'tsc', ['-p', 'server']],
  ['types of local', 'tsc', ['-p', 'local']],
  ['types of runtime', 'tsc', ['-p', 'runtime']],
  ['types of sdk', 'tsc', ['-p', 'sdk']],
  ['types of console', 'tsc', ['-p', 'console']],
  ['types of test, bench and scripts', 'tsc', ['-p', '.']],
  ['unused files, exports and packages', 'knip', ['--no-progress']],
  [
    'the contract is good OpenAPI',
    'redocly',
    ['lint', 'docs/api/openapi.json', '--config=docs/api/redocly.yaml', '--format=summary'],
  ],
  ['the contract breaks no client of the last release', 'node', ['scripts/compatibility.ts']],
  ['generated files are fresh', 'node', ['scripts/generate.ts', '--check']],
]

let failedCount = 0
for (const [what, command, args] of CHECK_STEPS) {
  const began = performance.now()
  const { code, output } = await run(command, args)
  reportStep(code === 0, what, performance.now() - began)
  if (code === 0) continue
  failedCount += 1
  process.stdout.write(`${output.trimEnd()}\n`)
}
process.exitCode = failedCount === 0 ? 0 : 1
