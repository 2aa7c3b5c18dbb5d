import { setTimeout as sleep } from 'node:timers/promises'
import { Api } from '../harness/api.ts'
import { atMost, type Benchmark, type Options } from '../harness/benchmark.ts'
import { absolute, type MeasuredFigure } from '../harness/figure.ts'
import { progress } from '../harness/progress.ts'
import { isSteady, median, ratios } from '../harness/statistics.ts'
import { openWorkbench, type Workbench } from '../worlds/workbench.ts'

export const capabilities: Benchmark = {
  id: 'P14',
  name: 'capabilities',
  measures: 'Every capability of this version switched on at once, until all are idle',
  goals: ['those of a group at once, and all at once, <= 1.5 of the slowest one of them alone'],
  tools: [],
  run: measureCapabilities,
}

const POLL_MS = 5

/** The capabilities that most apps need. */
const COMMON_CAPABILITIES = ['auth', 'team', 'data', 'files', 'assets', 'schedule', 'queue', 'meter']

async function measureCapabilities(options: Options): Promise<MeasuredFigure[]> {
  const rounds = options.rounds ?? 5
  const workbench = await openWorkbench()
  try {
    const keys = await enableAvailable(await openAccount(workbench))
    const groups = [keys.filter((key) => COMMON_CAPABILITIES.includes(key)), keys]
    // Warm up: for the first project the service bundles its own workers, such as the admin worker, and
    // caches the bundles.
    await switchOn(await openAccount(workbench), keys)
    const measured = groups.map((group): GroupTimes => ({ group, together: [], slowest: [] }))
    for (let round = 0; round < rounds; round++) {
      const alone = new Map<string, number>()
      for (const key of keys) alone.set(key, await switchOn(await openAccount(workbench), [key]))
      for (const { group, together, slowest } of measured) {
        slowest.push(Math.max(...group.map((key) => alone.get(key) ?? 0)))
        together.push(await switchOn(await openAccount(workbench), group))
      }
      const shown = [...alone].map(([key, seconds]) => `${key} ${seconds.toFixed(2)} s`).join('  ')
      const all = measured.map(({ group, together }) => `${group.length} ${together.at(-1)?.toFixed(2)} s`)
      progress(`  round ${round + 1}/${rounds}  ${shown}  at once: ${all.join(', ')}`)
    }
    return measured.map(({ group, together, slowest }) => {
      const ratio = ratios(together, slowest)
      return absolute({
        figure: `${group.length} at once`,
        unit: 's',
        value: median(together),
        against: 'the slowest alone',
        baseline: median(slowest),
        ratio: ratio.median,
        ratioMin: ratio.min,
        ratioMax: ratio.max,
        goal: atMost(1.5),
        rounds,
        steady: isSteady(ratio, slowest),
      })
    })
  } finally {
    await workbench.close()
  }
}

/** The seconds that each round needed to switch on the capabilities of a group: all at once, and the slowest of them alone. */
interface GroupTimes {
  group: string[]
  together: number[]
  slowest: number[]
}

interface ListedCapability {
  key: string
  enabled: boolean
  provision: { state: string; error: { message: string } | null }
}

const listCapabilities = (api: Api, projectId: string) =>
  api.call<ListedCapability[]>('GET', `/projects/${projectId}/capabilities`)

interface AccountProject {
  api: Api
  projectId: string
}

/**
 * Creates a project in a new organization with a separate cloud account. Calls to a cloud account are rate limited, so one measurement
 * would delay the calls of the next in the same account.
 */
async function openAccount({ service }: Workbench): Promise<AccountProject> {
  const api = await Api.signUp(service, `${crypto.randomUUID()}@slipway.test`)
  const { id } = await api.call<{ id: string }>('POST', '/projects', { name: 'Switches' })
  return { api, projectId: id }
}

/** Switches on every available capability and returns their keys. The service refuses planned capabilities and stores nothing for them. */
async function enableAvailable({ api, projectId }: AccountProject): Promise<string[]> {
  const built: string[] = []
  for (const { key } of await listCapabilities(api, projectId)) {
    const response = await api.request('PUT', `/projects/${projectId}/capabilities/${key}`, { enabled: true })
    if (response.ok) built.push(key)
  }
  return built
}

/** Switches the capabilities on. Returns the seconds from the first request until all of them are ready. */
async function switchOn({ api, projectId }: AccountProject, keys: string[]): Promise<number> {
  const began = performance.now()
  await Promise.all(
    keys.map((key) => api.call('PUT', `/projects/${projectId}/capabilities/${key}`, { enabled: true })),
  )
  for (;;) {
    const on = (await listCapabilities(api, projectId)).filter(({ enabled }) => enabled)
    const failed = on.find(({ provision }) => provision.state === 'error')
    if (failed !== undefined) throw new Error(`${failed.key}: ${failed.provision.error?.message}`)
    if (on.every(({ provision }) => provision.state === 'idle')) return (performance.now() - began) / 1000
    await sleep(POLL_MS)
  }
}
