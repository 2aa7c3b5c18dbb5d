import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { BENCHMARKS } from './benchmarks.ts'
import { compareFigures, readFigures } from './compare.ts'
import { type Benchmark, type Options, SEED_SIZES, type Size } from './harness/benchmark.ts'
import { type Figure, toFigure } from './harness/figure.ts'
import { startServer } from './harness/postgres.ts'
import { progress } from './harness/progress.ts'
import { formatTable } from './harness/table.ts'
import { ensureTemplate } from './seed.ts'

/** `npm run bench -- <name>`: prints the figures as JSON lines to stdout, and a table and the progress to stderr. */
const USAGE = `npm run bench -- <what> [--rounds 5] [--seconds 4] [--rows 10k|100k|1m] [--out file.jsonl]
  list | all | <name> ...                run benchmarks
  seed [--rows 100k]                     make the seeded template database now
  compare <before.jsonl> <after.jsonl>   what changed between two runs`

const EXIT_CODES = { reached: 0, missed: 1, errors: 2, unsteady: 3 } as const

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string', default: '4' },
    rows: { type: 'string', default: '100k' },
    out: { type: 'string' },
  },
})

process.exit(await main(positionals[0], positionals.slice(1)))

async function main(command: string | undefined, rest: string[]): Promise<number> {
  const options = readOptions()
  if (options === null || command === undefined) return printUsage()
  if (command === 'list') return listBenchmarks()
  if (command === 'seed') return seedTemplate(options.rows)
  if (command === 'compare')
    return rest.length === 2 ? compareFiles(rest[0] ?? '', rest[1] ?? '') : printUsage()
  const names = command === 'all' ? BENCHMARKS.map(({ name }) => name) : [command, ...rest]
  const chosen = names.map((name) => BENCHMARKS.find((benchmark) => benchmark.name === name))
  return chosen.every((benchmark) => benchmark !== undefined) ? runBenchmarks(chosen, options) : printUsage()
}

function readOptions(): Options | null {
  const [rounds, seconds] = [
    values.rounds === undefined ? null : Number(values.rounds),
    Number(values.seconds),
  ]
  const isCount = (value: number | null) => value === null || (Number.isInteger(value) && value > 0)
  if (!isCount(rounds) || !isCount(seconds) || !Object.hasOwn(SEED_SIZES, values.rows)) return null
  return { rounds, seconds, rows: values.rows as Size }
}

function printUsage(): number {
  progress(USAGE)
  return EXIT_CODES.errors
}

function listBenchmarks(): number {
  const width = Math.max(...BENCHMARKS.map(({ name }) => name.length))
  for (const { id, name, measures, goals, tools } of BENCHMARKS) {
    const needs = tools.length === 0 ? '' : `  (${tools.join(', ')})`
    process.stdout.write(`${id.padEnd(4)} ${name.padEnd(width)}  ${measures}: ${goals.join('; ')}${needs}\n`)
  }
  return EXIT_CODES.reached
}

async function seedTemplate(size: Size): Promise<number> {
  const server = await startServer()
  try {
    progress(`${await ensureTemplate(server, size)} is ready`)
    return EXIT_CODES.reached
  } finally {
    await server.stop()
  }
}

function compareFiles(before: string, after: string): number {
  const changes = compareFigures(readFigures(before), readFigures(after))
  for (const change of changes) {
    process.stdout.write(`${JSON.stringify(change)}\n`)
    const mark = change.isWorse ? '  WORSE' : ''
    progress(`${change.name}: ${change.before} -> ${change.after} (x ${change.factor.toFixed(2)})${mark}`)
  }
  return changes.some(({ isWorse }) => isWorse) ? EXIT_CODES.missed : EXIT_CODES.reached
}

async function runBenchmarks(benchmarks: Benchmark[], options: Options): Promise<number> {
  const figures: Figure[] = []
  let failed = false
  for (const benchmark of benchmarks) {
    progress(`${benchmark.id} ${benchmark.name}: ${benchmark.measures}`)
    try {
      for (const measured of await benchmark.run(options)) {
        const figure = toFigure(benchmark, measured)
        figures.push(figure)
        process.stdout.write(`${JSON.stringify(figure)}\n`)
      }
    } catch (error) {
      failed = true
      progress(`  ${benchmark.name} failed: ${error instanceof Error ? error.stack : String(error)}`)
    }
  }
  if (figures.length > 0) progress(`\n${formatTable(figures)}`)
  if (values.out !== undefined) {
    mkdirSync(dirname(values.out), { recursive: true })
    writeFileSync(values.out, figures.map((figure) => `${JSON.stringify(figure)}\n`).join(''))
  }
  return failed ? EXIT_CODES.errors : exitCodeOf(figures)
}

function exitCodeOf(figures: readonly Figure[]): number {
  if (figures.some(({ errors }) => errors > 0)) return EXIT_CODES.errors
  if (figures.some(({ ok, steady }) => ok === false && steady)) return EXIT_CODES.missed
  return figures.every(({ steady }) => steady) ? EXIT_CODES.reached : EXIT_CODES.unsteady
}
