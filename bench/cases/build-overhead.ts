import { atMost, type Benchmark, type Options } from '../harness/benchmark.ts'
import { absolute, type Measured } from '../harness/figure.ts'
import { progress } from '../harness/progress.ts'
import { median } from '../harness/statistics.ts'
import { FIRST_BUILD } from './sample-app.ts'
import { openWorkbench, type Workbench } from './workbench.ts'

export const buildOverhead: Benchmark = {
  id: 'P11',
  name: 'build-overhead',
  measures: 'A scripted build of five files with every check, without the model: it answers at once',
  goals: ['request to first model call <= 0.25 s', 'request to commit <= 0.75 s (medians)'],
  tools: [],
  run: measureBuilds,
}

interface Times {
  firstCall: number
  commit: number
  done: number
}

async function measureBuilds(options: Options): Promise<Measured[]> {
  const rounds = options.rounds ?? 5
  const workbench = await openWorkbench()
  try {
    const first = await measureBuild(workbench)
    progress(`  first build, nothing warm  ${describe(first)}`)
    const times: Times[] = []
    for (let round = 0; round < rounds; round++) {
      const measured = await measureBuild(workbench)
      times.push(measured)
      progress(`  round ${round + 1}/${rounds}  ${describe(measured)}`)
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
    ]
  } finally {
    await workbench.close()
  }
}

const describe = (times: Times) =>
  `first model call ${times.firstCall.toFixed(3)} s  commit ${times.commit.toFixed(3)} s  preview ${times.done.toFixed(3)} s`

/** The model answers at once, so that the whole time is ours. */
async function measureBuild({ api, model, createProject, build }: Workbench): Promise<Times> {
  const projectId = await createProject()
  const { sha, askedAt } = await build(projectId, FIRST_BUILD)
  const doneAt = Date.now()
  const [calledAt] = await model.callTimes()
  const versions = await api.call<{ sha: string; createdAt: string }[]>(
    'GET',
    `/projects/${projectId}/versions`,
  )
  const committed = versions.find((version) => version.sha === sha)
  if (calledAt === undefined || committed === undefined) throw new Error('the build left no trace')
  return {
    firstCall: (calledAt - askedAt) / 1000,
    commit: (Date.parse(committed.createdAt) - askedAt) / 1000,
    done: (doneAt - askedAt) / 1000,
  }
}
