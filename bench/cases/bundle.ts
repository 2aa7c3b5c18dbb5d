import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { bundleApp } from '../../server/agent/bundle/bundle.ts'
import { completeTree, starterTree } from '../../server/agent/source/tree.ts'
import { openCheckout } from '../ceilings/by-hand.ts'
import { atMost, type Benchmark, type Options } from '../harness/benchmark.ts'
import { absolute, type MeasuredFigure } from '../harness/figure.ts'
import { ROOT } from '../harness/folders.ts'
import { progress } from '../harness/progress.ts'
import { isSteady, median, ratios } from '../harness/statistics.ts'
import { FIRST_BUILD } from '../worlds/sample-app.ts'

export const bundle: Benchmark = {
  id: 'P12',
  name: 'bundle',
  measures: "Worker and pages of an app of five files, bundled in memory; the worker's size",
  goals: [
    'time <= 1.2 of esbuild by hand',
    'time <= 0.5 of wrangler, which makes the worker alone',
    'gzip of the worker <= 1.05 of wrangler’s',
  ],
  tools: [],
  run: measureBundles,
}

async function measureBundles(options: Options): Promise<MeasuredFigure[]> {
  const rounds = options.rounds ?? 7
  const tree = sampleTree()
  const checkout = openCheckout(Object.fromEntries(tree))
  try {
    // Bundle once on each side without measuring it, because the first bundling also starts the bundler.
    await bundleBare(tree)
    await checkout.build()
    const [ours, byHand, wrangler]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < rounds; round++) {
      ours.push((await bundleBare(tree)).ms)
      byHand.push(await checkout.build())
      wrangler.push(await runWrangler(checkout.dir))
      const shown = [ours, byHand, wrangler].map((times) => `${times.at(-1)?.toFixed(0)} ms`)
      progress(`  round ${round + 1}/${rounds}  ours ${shown[0]}  esbuild ${shown[1]}  wrangler ${shown[2]}`)
    }
    const size = gzippedSize((await bundleBare(tree)).worker)
    const theirs = gzippedSize(readFileSync(join(checkout.dir, 'out/worker.js'), 'utf8'))
    return [
      compareTimes('time', ours, 'esbuild by hand', byHand, 1.2),
      compareTimes('time', ours, 'wrangler', wrangler, 0.5),
      absolute({
        figure: 'worker, gzip',
        unit: 'bytes',
        value: size,
        against: 'wrangler',
        baseline: theirs,
        ratio: size / theirs,
        goal: atMost(1.05),
        rounds: 1,
      }),
    ]
  } finally {
    checkout.remove()
  }
}

function compareTimes(
  figure: string,
  ours: number[],
  against: string,
  theirs: number[],
  bound: number,
): MeasuredFigure {
  const ratio = ratios(ours, theirs)
  return absolute({
    figure,
    unit: 'ms',
    value: median(ours),
    against,
    baseline: median(theirs),
    ratio: ratio.median,
    ratioMin: ratio.min,
    ratioMax: ratio.max,
    goal: atMost(bound),
    rounds: ours.length,
    steady: isSteady(ratio, theirs),
  })
}

function sampleTree() {
  const files = new Map(starterTree('Tide table'))
  for (const { toolCalls } of FIRST_BUILD)
    for (const { name, args } of toolCalls)
      if (name === 'write_file' && 'path' in args) files.set(args.path, args.content)
  return completeTree(files, new Set())
}

async function bundleBare(tree: ReturnType<typeof sampleTree>): Promise<{ ms: number; worker: string }> {
  const began = performance.now()
  const result = await bundleApp(tree, { parts: ['server', 'web'], minify: true })
  const ms = performance.now() - began
  if (!result.ok) throw new Error(`the tree does not bundle: ${JSON.stringify(result.errors[0])}`)
  const { main, modules } = result.bundle.server
  return { ms, worker: modules[main] ?? '' }
}

/**
 * Measures how long wrangler takes to bundle the same worker. People who deploy the source without Slipway
 * would use wrangler.
 */
async function runWrangler(dir: string): Promise<number> {
  const program = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
  const asked = [
    'deploy',
    'platform/worker.ts',
    '--dry-run',
    '--minify',
    '--outdir',
    'out',
    '--name',
    'tides',
  ]
  const began = performance.now()
  await promisify(execFile)(process.execPath, [program, ...asked, '--compatibility-date', '2026-06-01'], {
    cwd: dir,
    env: { PATH: process.env['PATH'], HOME: dir, CI: '1', WRANGLER_SEND_METRICS: 'false' },
  })
  return performance.now() - began
}

const gzippedSize = (worker: string): number => gzipSync(worker).length
