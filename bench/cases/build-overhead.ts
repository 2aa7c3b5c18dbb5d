import { bundleApp } from '../../server/agent/bundle/bundle.ts'
import { openCheckout } from '../ceilings/by-hand.ts'
import { atMost, type Benchmark, type Options } from '../harness/benchmark.ts'
import { absolute, type MeasuredFigure } from '../harness/figure.ts'
import { progress } from '../harness/progress.ts'
import { isSteady, median, ratios } from '../harness/statistics.ts'
import { FIRST_BUILD, LARGE_BUILD } from '../worlds/sample-app.ts'
import { measureDeltas } from '../worlds/stream-delta.ts'
import { type Build, openWorkbench, type Workbench } from '../worlds/workbench.ts'

export const buildOverhead: Benchmark = {
  id: 'P11',
  name: 'build-overhead',
  measures:
    'A scripted build with every check, without the model: it answers at once. Pages are seen in a figure of their own (P25)',
  goals: [
    'five files: request to first model call <= 0.25 s, to commit <= 0.75 s (medians)',
    'thirty files: what is not checking <= 2.0 of esbuild and git commit by hand',
    'a word of the model to its reader <= 60 ms (median), cold and warm',
  ],
  tools: [],
  run: measureBuilds,
}

interface Times {
  firstCall: number
  commit: number
  done: number
}

async function measureBuilds(options: Options): Promise<MeasuredFigure[]> {
  const rounds = options.rounds ?? 5
  return [...(await measureWithoutBrowser(rounds)), await measureWithBrowser(rounds)]
}

/**
 * Measures the time from the request for a build to its commit, with checks that open the pages of the app in a browser before the commit.
 */
async function measureWithBrowser(rounds: number): Promise<MeasuredFigure> {
  const workbench = await openWorkbench()
  try {
    // The first build starts the browser, which the measured builds then reuse.
    await measureBuild(workbench)
    const times: number[] = []
    for (let round = 0; round < rounds; round++) times.push((await measureBuild(workbench)).commit)
    return absolute({ figure: 'to commit, pages seen', unit: 's', value: median(times), goal: null, rounds })
  } finally {
    await workbench.close()
  }
}

async function measureWithoutBrowser(rounds: number): Promise<MeasuredFigure[]> {
  const workbench = await openWorkbench({ seesPages: false })
  try {
    // Measure the cold delays first, because a build would warm up the service.
    const cold = await measureDeltas(workbench, 'cold')
    const first = await measureBuild(workbench)
    progress(`  first build, nothing warm  ${describeTimes(first)}`)
    const times: Times[] = []
    for (let round = 0; round < rounds; round++) {
      const measured = await measureBuild(workbench)
      times.push(measured)
      progress(`  round ${round + 1}/${rounds}  ${describeTimes(measured)}`)
    }
    const figure = (name: string, key: keyof Times, bound: number | null) =>
      absolute({
        figure: name,
        unit: 's',
        value: median(times.map((time) => time[key])),
        goal: bound === null ? null : atMost(bound),
        rounds,
      })
    return [
      figure('to first model call', 'firstCall', 0.25),
      figure('to commit', 'commit', 0.75),
      figure('to preview', 'done', null),
      absolute({ figure: 'to commit, cold', unit: 's', value: first.commit, goal: null, rounds: 1 }),
      await measureLargeApp(workbench, rounds),
      cold,
      await measureDeltas(workbench, 'warm'),
    ]
  } finally {
    await workbench.close()
  }
}

const describeTimes = (times: Times) =>
  `first model call ${times.firstCall.toFixed(3)} s  commit ${times.commit.toFixed(3)} s  preview ${times.done.toFixed(3)} s`

/** Builds one ticket. The scripted model responds at once, so Slipway causes all of the measured time. */
async function measureBuild(workbench: Workbench): Promise<Times> {
  const projectId = await workbench.createProject()
  const built = await workbench.build(projectId, FIRST_BUILD)
  const doneAt = Date.now()
  const [calledAt] = await workbench.model.callTimes()
  if (calledAt === undefined) throw new Error('the build left no trace')
  return {
    firstCall: (calledAt - built.askedAt) / 1000,
    commit: await secondsToCommit(workbench, projectId, built),
    done: (doneAt - built.askedAt) / 1000,
  }
}

async function secondsToCommit({ api }: Workbench, projectId: string, { sha, askedAt }: Build) {
  const versions = await api.call<{ sha: string; createdAt: string }[]>(
    'GET',
    `/projects/${projectId}/versions`,
  )
  const committed = versions.find((version) => version.sha === sha)
  if (committed === undefined) throw new Error('the build left no version')
  return (Date.parse(committed.createdAt) - askedAt) / 1000
}

interface Frame {
  type: string
  name?: string
  ms?: number
}

/**
 * Compares the time of a build that writes thirty files with the baseline, which bundles the same files with esbuild and commits them with
 * git. The baseline has no checks, so the time of the build's checks is subtracted. The checks include a bundling, and so does the
 * baseline, so the time of one bundling is added again.
 */
async function measureLargeApp(workbench: Workbench, rounds: number): Promise<MeasuredFigure> {
  const [ours, byHand]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    const projectId = await workbench.createProject()
    const built = await workbench.build(projectId, LARGE_BUILD)
    const frames = await workbench.api.call<Frame[]>(
      'GET',
      `/projects/${projectId}/runs/${built.runId}/events`,
    )
    const checking = frames.find(({ type, name }) => type === 'tool' && name === 'finish')?.ms
    if (checking === undefined) throw new Error('the build was not checked')
    const total = (await secondsToCommit(workbench, projectId, built)) * 1000
    const { files } = await workbench.api.call<{ files: Record<string, string> }>(
      'GET',
      `/projects/${projectId}/source`,
    )
    // Measure only the second bundling: the service's bundler is warm, so the bundler of this process must be warm as well.
    await bundleBare(files)
    const bundling = await bundleBare(files)
    ours.push(total - checking + bundling)
    const checkout = openCheckout(files)
    try {
      byHand.push(await checkout.buildAndCommit())
    } finally {
      checkout.remove()
    }
    progress(
      `  thirty files  to commit ${total.toFixed(0)} ms, of it checking ${checking} ms  bundling alone ${bundling.toFixed(0)} ms  by hand ${byHand.at(-1)?.toFixed(0)} ms`,
    )
  }
  const ratio = ratios(ours, byHand)
  return absolute({
    figure: 'thirty files, without checking',
    unit: 'ms',
    value: median(ours),
    against: 'by hand',
    baseline: median(byHand),
    ratio: ratio.median,
    ratioMin: ratio.min,
    ratioMax: ratio.max,
    goal: atMost(2),
    rounds,
    steady: isSteady(ratio, byHand),
  })
}

async function bundleBare(files: Record<string, string>): Promise<number> {
  const tree = new Map(Object.entries(files))
  const began = performance.now()
  const result = await bundleApp(tree, { parts: ['server', 'web'], minify: true })
  if (!result.ok) throw new Error(`the tree does not bundle: ${JSON.stringify(result.errors[0])}`)
  return performance.now() - began
}
