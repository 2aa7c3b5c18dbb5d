import { setTimeout as sleep } from 'node:timers/promises'
import { AppClient } from '../harness/app-client.ts'
import { atMost, type Benchmark, type Options } from '../harness/benchmark.ts'
import { absolute, type Measured } from '../harness/figure.ts'
import { progress } from '../harness/progress.ts'
import { isSteady, median, ratios } from '../harness/statistics.ts'
import { FIRST_BUILD, nextBuild } from './sample-app.ts'
import { openWorkbench, type Workbench } from './workbench.ts'

export const ship: Benchmark = {
  id: 'P13',
  name: 'ship',
  measures:
    'POST deploy to the first good answer of the new release; a third ship under the eyes of visitors',
  goals: ['second ship <= 0.5 of the first', 'no failed probe'],
  tools: [],
  run: measureShips,
}

interface Round {
  first: number
  second: number
  underLoad: number
  probes: number
  failed: number
}

/** Visitors at once while the third release replaces the second. */
const VISITORS = 4
const PROBES_MIN = 2000

async function measureShips(options: Options): Promise<Measured[]> {
  const count = options.rounds ?? 3
  const workbench = await openWorkbench()
  try {
    const rounds: Round[] = []
    for (let i = 0; i < count; i++) {
      const round = await shipThrice(workbench)
      rounds.push(round)
      progress(
        `  round ${i + 1}/${count}  first ${round.first.toFixed(2)} s  second ${round.second.toFixed(2)} s  ` +
          `under load ${round.underLoad.toFixed(2)} s, ${round.failed} of ${round.probes} probes failed`,
      )
    }
    return toFigures(rounds)
  } finally {
    await workbench.close()
  }
}

function toFigures(rounds: Round[]): Measured[] {
  const [first, second] = [rounds.map((round) => round.first), rounds.map((round) => round.second)]
  const ratio = ratios(second, first)
  const sum = (key: 'probes' | 'failed') => rounds.reduce((total, round) => total + round[key], 0)
  return [
    absolute({
      figure: 'second ship',
      unit: 's',
      value: median(second),
      against: 'first ship',
      baseline: median(first),
      ratio: ratio.median,
      ratioMin: ratio.min,
      ratioMax: ratio.max,
      goal: atMost(0.5),
      rounds: rounds.length,
      steady: isSteady(ratio, first),
    }),
    absolute({
      figure: 'ship under load',
      unit: 's',
      value: median(rounds.map((round) => round.underLoad)),
      goal: null,
      rounds: rounds.length,
    }),
    absolute({
      figure: `failed of ${sum('probes')} probes`,
      unit: 'probes',
      value: sum('failed'),
      goal: atMost(0),
      rounds: rounds.length,
    }),
  ]
}

async function shipThrice(workbench: Workbench): Promise<Round> {
  const { createProject, build } = workbench
  const projectId = await createProject()
  await build(projectId, FIRST_BUILD)
  const { seconds: first, url } = await shipOnce(workbench, projectId, 1)
  await build(projectId, nextBuild(2))
  const { seconds: second } = await shipOnce(workbench, projectId, 2)
  await build(projectId, nextBuild(3))
  const app = new AppClient(url)
  try {
    const visitors = new Visitors(app)
    await sleep(200)
    const { seconds: underLoad } = await shipOnce(workbench, projectId, 3)
    return { first, second, underLoad, ...(await visitors.leave()) }
  } finally {
    app.close()
  }
}

/** Ships and visits the app until it answers with this release. */
async function shipOnce(
  { api }: Workbench,
  projectId: string,
  release: number,
): Promise<{ seconds: number; url: string }> {
  const began = performance.now()
  let deploy = await api.call<{ state: string; url: string | null }>('POST', `/projects/${projectId}/deploy`)
  while (deploy.state === 'deploying') {
    await sleep(50)
    deploy = await api.call('GET', `/projects/${projectId}/deploy`)
  }
  if (deploy.state !== 'live' || deploy.url === null) throw new Error(`the ship ended as ${deploy.state}`)
  const app = new AppClient(deploy.url)
  try {
    for (let tries = 0; tries < 600; tries++) {
      const answer = await app.get('/api/release').catch(() => null)
      if (answer?.status === 200 && answer.text.includes(`"release":${release}`))
        return { seconds: (performance.now() - began) / 1000, url: deploy.url }
      await sleep(10)
    }
    throw new Error(`release ${release} did not answer`)
  } finally {
    app.close()
  }
}

/** People who use the app all the while; each waits for an answer before asking again. */
class Visitors {
  readonly #visits: Promise<void>[]
  #leaving = false
  #probes = 0
  #failed = 0

  constructor(app: AppClient) {
    this.#visits = Array.from({ length: VISITORS }, () => this.#visit(app))
  }

  /** Lets them go once enough visits were made. */
  async leave(): Promise<{ probes: number; failed: number }> {
    this.#leaving = true
    await Promise.all(this.#visits)
    return { probes: this.#probes, failed: this.#failed }
  }

  async #visit(app: AppClient): Promise<void> {
    while (!this.#leaving || this.#probes < PROBES_MIN) {
      const answer = await app.get('/api/release').catch(() => null)
      this.#probes++
      if (answer?.status !== 200) this.#failed++
    }
  }
}
