import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { MODEL_PROVIDERS } from '../../server/agent/model/models.ts'
import { launchBrowser } from '../../test/browser/browser.ts'
import { formatComparison, readSide } from './compare.ts'
import type { TaskResult } from './figures.ts'
import { type Judge, openJudge } from './judge.ts'
import { loadTasks, OWN_TASKS } from './load-tasks.ts'
import { formatMarkdown, formatReport } from './report.ts'
import { type RunOptions, runTask } from './run-task.ts'
import { joinTarget, startTarget, type Target } from './target.ts'

/**
 * `npm run eval`: measures the quality of a model's work. Prints the report to stderr. With `--json`, also prints the results as JSON lines
 * to stdout.
 */
const USAGE = `npm run eval -- [options]
  --tasks <folder>      task files (*.task.ts), default bench/eval/tasks
  --only <name>         one task; may be repeated
  --runs <n>            repeat every task, default 1
  --minutes <n>         longest build of one ticket, default 15
  --json                results as JSON lines on stdout
  --out <file>          results as JSON lines in a file
  --report <file>       the report as markdown
  --pictures <folder>   a picture of each app, and of each page on which a check failed

  --label <text>        a name for this evaluation, to compare two versions of the prompts
  --compare <a> <b>     two files of --out side by side; nothing is run

A second model that scores each finished app, off by default; it decides nothing:
  --judge-provider <name> --judge-model <id> [--judge-base-url <url>] --judge-key-env <NAME>

The model (a service is started for it and removed afterwards):
  --provider <name>     scaffold (default), scripted, anthropic, openai, google, openai-compatible, workers-ai
  --model <id>          model id at the provider
  --base-url <url>      for openai-compatible
  --key-env <NAME>      environment variable that holds the provider's key

Or a service that is running, with the model its organization has chosen:
  --base <url> --api-key-env <NAME>
`

const EXIT_CODES = { passed: 0, failed: 1, errors: 2 } as const

process.exit(await main().catch(reportError))

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      tasks: { type: 'string', default: OWN_TASKS },
      only: { type: 'string', multiple: true, default: [] },
      runs: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '15' },
      json: { type: 'boolean', default: false },
      out: { type: 'string' },
      report: { type: 'string' },
      pictures: { type: 'string' },
      label: { type: 'string' },
      compare: { type: 'boolean', default: false },
      'judge-provider': { type: 'string' },
      'judge-model': { type: 'string' },
      'judge-base-url': { type: 'string' },
      'judge-key-env': { type: 'string' },
      provider: { type: 'string', default: 'scaffold' },
      model: { type: 'string' },
      'base-url': { type: 'string' },
      'key-env': { type: 'string' },
      base: { type: 'string' },
      'api-key-env': { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    process.stderr.write(USAGE)
    return EXIT_CODES.passed
  }
  if (values.compare) return compareResults(positionals, values.report)
  const [runs, minutes] = [readPositive('--runs', values.runs), readPositive('--minutes', values.minutes)]
  const tasks = await loadTasks(values.tasks, values.only)
  const judge = judgeOf({
    provider: values['judge-provider'],
    model: values['judge-model'],
    baseUrl: values['judge-base-url'] ?? null,
    key: readEnv(values['judge-key-env']),
  })
  const target =
    values.base === undefined
      ? await startTarget({
          provider: values.provider,
          model: values.model ?? null,
          baseUrl: values['base-url'] ?? null,
          key: readEnv(values['key-env']),
        })
      : await joinTarget(values.base, readEnv(values['api-key-env']) ?? '')
  if (values.pictures !== undefined) mkdirSync(values.pictures, { recursive: true })
  if (values.out !== undefined) writeFileSync(values.out, '')
  const options = {
    runs,
    limitMs: minutes * 60_000,
    pictures: values.pictures ?? null,
    judge,
    label: values.label ?? null,
  }
  const results: TaskResult[] = []
  try {
    for await (const result of runAll(target, tasks, options)) {
      results.push(result)
      const line = `${JSON.stringify(result)}\n`
      if (values.json) process.stdout.write(line)
      if (values.out !== undefined) appendFileSync(values.out, line)
    }
  } finally {
    await target.stop()
  }
  process.stderr.write(`\n${target.model}\n${formatReport(results)}`)
  if (values.report !== undefined) writeFileSync(values.report, formatMarkdown(target.model, results))
  return results.every((result) => result.passed || result.skipped !== null)
    ? EXIT_CODES.passed
    : EXIT_CODES.failed
}

function compareResults(files: readonly string[], report: string | undefined): number {
  const [left, right, ...others] = files.map(readSide)
  if (left === undefined || right === undefined || others.length > 0)
    throw new Error('--compare needs two files that --out wrote.')
  process.stdout.write(formatComparison(left, right, 'text'))
  if (report !== undefined) writeFileSync(report, formatComparison(left, right, 'markdown'))
  return EXIT_CODES.passed
}

interface JudgeChoice {
  provider: string | undefined
  model: string | undefined
  baseUrl: string | null
  key: string | null
}

function judgeOf({ provider, model, baseUrl, key }: JudgeChoice): Judge | null {
  if (provider === undefined) return null
  const known = MODEL_PROVIDERS.find((name) => name === provider)
  if (known === undefined) throw new Error(`--judge-provider must be one of ${MODEL_PROVIDERS.join(', ')}.`)
  if (model === undefined) throw new Error('--judge-model is missing.')
  return openJudge({ provider: known, baseUrl, key }, model)
}

async function* runAll(
  target: Target,
  tasks: Awaited<ReturnType<typeof loadTasks>>,
  { runs, ...options }: { runs: number } & Omit<RunOptions, 'run'>,
): AsyncGenerator<TaskResult> {
  const browser = await launchBrowser()
  try {
    for (const task of tasks)
      for (let run = 1; run <= runs; run++) {
        process.stderr.write(`${task.name}: ${task.about}\n`)
        yield await runTask(target, browser, task, { run, ...options })
      }
  } finally {
    await browser.close()
  }
}

function readPositive(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value) || value <= 0) throw new Error(`${name} must be a number above 0.`)
  return value
}

/** Reads a key from the environment. A key passed as an argument would appear in the shell's history and in process lists. */
function readEnv(name: string | undefined): string | null {
  if (name === undefined) return null
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`The environment variable ${name} is not set.`)
  return value
}

function reportError(error: unknown): number {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  return EXIT_CODES.errors
}
