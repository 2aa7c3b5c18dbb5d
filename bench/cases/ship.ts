import { setTimeout as sleep } from 'node:timers/promises'
import { openWranglerProject, type WranglerProject } from '../ceilings/wrangler.ts'
import type { Api } from '../harness/api.ts'
import { AppClient } from '../harness/app-client.ts'
import { atMost, type Benchmark, type Options } from '../harness/benchmark.ts'
import { absolute, type MeasuredFigure } from '../harness/figure.ts'
import { progress } from '../harness/progress.ts'
import { isSteady, median, ratios } from '../harness/statistics.ts'
import { Visitors } from '../harness/visitors.ts'
import { FIRST_BUILD, nextBuild } from '../worlds/sample-app.ts'
import { openWorkbench, type Workbench } from '../worlds/workbench.ts'

export const ship: Benchmark = {
  id: 'P13',
  name: 'ship',
  measures:
    'POST deploy to the first good answer of the release: the first, one line later, and what is live already; one more under the eyes of visitors',
  goals: ['a ship again <= 0.5 of the first', 'a changed line <= 0.6 of wrangler deploy', 'no failed probe'],
  tools: [],
  run: measureShips,
}

interface Round {
  first: number
  changed: number
  again: number
  underLoad: number
  wrangler: number
  probes: number
  failed: number
}

async function measureShips(options: Options): Promise<MeasuredFigure[]> {
  const count = options.rounds ?? 3
  const workbench = await openWorkbench()
  try {
    const wrangler = await openWranglerProject(workbench.service)
    try {
      // The first deployment by hand creates the worker; only later deployments are compared.
      await wrangler.deploy(0)
      const rounds: Round[] = []
      while (rounds.length < count) {
        const round = await shipInTurn(workbench, wrangler)
        rounds.push(round)
        progress(`  round ${rounds.length}/${count}  ${describeRound(round)}`)
      }
      return toFigures(rounds)
    } finally {
      wrangler.remove()
    }
  } finally {
    await workbench.close()
  }
}

function describeRound({ first, changed, again, wrangler, underLoad, failed, probes }: Round): string {
  const times = Object.entries({ first, changed, again, wrangler, 'under load': underLoad })
  const shown = times.map(([name, seconds]) => `${name} ${seconds.toFixed(2)} s`).join('  ')
  return `${shown}, ${failed} of ${probes} probes failed`
}

function toFigures(rounds: Round[]): MeasuredFigure[] {
  const series = (key: keyof Round) => rounds.map((round) => round[key])
  const sum = (key: keyof Round) => series(key).reduce((total, value) => total + value, 0)
  const figure = (what: string, values: number[], against: string, baseline: number[], bound?: number) => {
    const ratio = ratios(values, baseline)
    return absolute({
      figure: what,
      unit: 's',
      value: median(values),
      against,
      baseline: median(baseline),
      ratio: ratio.median,
      ratioMin: ratio.min,
      ratioMax: ratio.max,
      goal: bound === undefined ? null : atMost(bound),
      rounds: rounds.length,
      steady: isSteady(ratio, baseline),
    })
  }
  const plain = { rounds: rounds.length }
  return [
    figure('ship of what is live', series('again'), 'first ship', series('first'), 0.5),
    // Slipway and wrangler both wait while the local Cloudflare emulator starts the new code twice, to
    // validate it and to serve it. No client can avoid that time.
    figure('ship of a changed line', series('changed'), 'first ship', series('first')),
    figure('ship of a changed line', series('changed'), 'wrangler deploy', series('wrangler'), 0.6),
    absolute({
      figure: 'ship under load',
      unit: 's',
      value: median(series('underLoad')),
      goal: null,
      ...plain,
    }),
    absolute({
      figure: `failed of ${sum('probes')} probes`,
      unit: 'probes',
      value: sum('failed'),
      goal: atMost(0),
      ...plain,
    }),
  ]
}

async function shipInTurn(workbench: Workbench, wrangler: WranglerProject): Promise<Round> {
  const { api, createProject, build } = workbench
  const projectId = await createProject()
  const ship = async (release: number) => {
    await build(projectId, release === 1 ? FIRST_BUILD : nextBuild(release))
    return () => untilReleased(release, () => shipProject(api, projectId))
  }
  const { seconds: first } = await (await ship(1))()
  const { seconds: changed } = await (await ship(2))()
  const { seconds: again } = await untilReleased(2, () => shipProject(api, projectId))
  const byHand = Date.now()
  const { seconds: wranglerSeconds } = await untilReleased(byHand, async () => {
    await wrangler.deploy(byHand)
    return wrangler.url
  })
  const third = await ship(3)
  const app = new AppClient(await deployedUrl(api, projectId))
  try {
    const visitors = new Visitors(app)
    await sleep(200)
    const { seconds: underLoad } = await third()
    return { first, changed, again, underLoad, wrangler: wranglerSeconds, ...(await visitors.leave()) }
  } finally {
    app.close()
  }
}

/** Runs a deployment that returns the app's address, then visits the app until it serves this release. */
async function untilReleased(release: number, deploy: () => Promise<string>): Promise<{ seconds: number }> {
  const began = performance.now()
  const app = new AppClient(await deploy())
  try {
    for (let tries = 0; tries < 600; tries++) {
      const response = await app.get('/api/release').catch(() => null)
      if (response?.status === 200 && response.text.includes(`"release":${release},`))
        return { seconds: (performance.now() - began) / 1000 }
      await sleep(10)
    }
    throw new Error(`release ${release} did not answer`)
  } finally {
    app.close()
  }
}

interface Deploy {
  state: string
  url: string | null
}

async function shipProject(api: Api, projectId: string): Promise<string> {
  let deploy = await api.call<Deploy>('POST', `/projects/${projectId}/deploy`)
  while (deploy.state === 'deploying') {
    await sleep(50)
    deploy = await api.call('GET', `/projects/${projectId}/deploy`)
  }
  if (deploy.state !== 'live' || deploy.url === null) throw new Error(`the ship ended as ${deploy.state}`)
  return deploy.url
}

async function deployedUrl(api: Api, projectId: string): Promise<string> {
  const { url } = await api.call<Deploy>('GET', `/projects/${projectId}/deploy`)
  if (url === null) throw new Error('the app has no address')
  return url
}
