import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestContext } from 'node:test'
import { Person } from '../support/client.ts'
import { framesOf, type Frame } from '../support/frames.ts'
import { type Health, cpuSecondsOf, familyOf, watchHealth } from '../support/health-watch.ts'
import { type RawResponse, type RawCall, modelResponse, serveRawModel } from '../support/raw-model.ts'
import { ServiceProcess } from '../support/service.ts'
import { Watcher } from '../support/watcher.ts'

/** Limits that the service must keep whatever a model sends. */
const HEALTH_MS_MAX = 1_000
const SERVICE_MB_MAX = 600
// Compiling a real app takes about 300 MB. A much larger child process shows that its memory limit does not work.
const CHILD_MB_MAX = 1_500
const IDLE_AFTER_MS = 15_000
const IDLE_LOOK_MS = 3_000
/** The largest share of one core that an idle service may use. Heartbeats, the database and polling the queue need a few hundredths. */
const IDLE_SHARE_MAX = 0.3
/** A model whose context window is large enough for a whole app. */
const MODEL = 'gemini-2.5-pro'

export interface HostileBuild {
  frames: Frame[]
  /** The frames of the tool calls of this build, in order. */
  tools: Frame[]
  last: Frame | undefined
}

export interface HostileProject {
  project: string
  ticket: string
  key: string
}

type RawModel = Awaited<ReturnType<typeof serveRawModel>>

/** The real service, a model that sends arbitrary bytes, an organization that uses this model, and another organization that does not. */
export class HostileWorld {
  readonly service: ServiceProcess
  readonly #model: RawModel
  readonly ann: Person
  readonly #bob: Person
  #neighbour: HostileProject | null = null
  #projects = 0
  #endedAt = 0

  private constructor(service: ServiceProcess, model: RawModel, people: [Person, Person]) {
    this.service = service
    this.#model = model
    ;[this.ann, this.#bob] = people
  }

  static async open(): Promise<HostileWorld> {
    const [service, model] = await Promise.all([
      ServiceProcess.start({ SLIPWAY_LOCAL_WORLD: 'off' }),
      serveRawModel(),
    ])
    const ann = await Person.signUp(service.url, 'ann@example.test', 'Ann')
    const bob = await Person.signUp(service.url, 'bob@example.test', 'Bob')
    return new HostileWorld(service, model, [ann, bob])
  }

  async close(): Promise<void> {
    await this.service.dispose()
    await this.#model.close()
  }

  /** Restarts the service if a test has ended it, so that the next test is not affected. */
  async revive(): Promise<void> {
    if (!(await this.service.isHealthy())) await this.service.restart()
  }

  openProject(limits: object | null = null): Promise<HostileProject> {
    return this.#openProject(this.ann, limits)
  }

  async #openProject(person: Person, limits: object | null): Promise<HostileProject> {
    const key = `key-${++this.#projects}`
    const connection = await person.call<{ id: string }>('POST /connections/models', {
      provider: 'openai-compatible',
      label: key,
      baseUrl: this.#model.baseUrl,
      key,
      defaultModel: MODEL,
      limits,
    })
    const { id } = await person.call<{ id: string }>('POST /projects', {})
    await person.call(`PUT /projects/${id}/model`, { connectionId: connection.id, model: MODEL })
    const ticket = await person.call<{ id: string }>(`POST /projects/${id}/tickets`, { title: 'Plants' })
    return { project: `/projects/${id}`, ticket: `/projects/${id}/tickets/${ticket.id}`, key }
  }

  /** Runs a build whose model sends these responses. Resolves when the build has ended. */
  async build(place: HostileProject, answers: RawResponse[]): Promise<HostileBuild> {
    this.#model.play(place.key, answers)
    return this.#watchBuild(this.ann, place)
  }

  async #watchBuild(person: Person, place: HostileProject): Promise<HostileBuild> {
    const watcher = new Watcher(person, place.ticket)
    await watcher.read()
    this.#endedAt = performance.now()
    const { frames } = watcher
    return { frames, tools: frames.filter(({ type }) => type === 'tool'), last: frames.at(-1) }
  }

  /** Runs a reply of the plan agent whose model sends these responses. Resolves when the reply has ended. */
  async plan(place: HostileProject, answers: RawResponse[]): Promise<HostileBuild> {
    this.#model.play(place.key, answers)
    const said = await this.ann.request(`POST ${place.project}/plan/stream`, { text: 'Plan it' })
    const frames = await Array.fromAsync(framesOf(said))
    this.#endedAt = performance.now()
    return { frames, tools: frames.filter(({ type }) => type === 'tool'), last: frames.at(-1) }
  }

  /** Builds a small app in the other organization. The build must succeed. */
  async neighbourBuilds(): Promise<void> {
    this.#neighbour ??= await this.#openProject(this.#bob, null)
    const path = `shared/part${++this.#projects}.ts`
    this.#model.play(this.#neighbour.key, [
      calls(write(path, `export const part = ${this.#projects}\n`)),
      calls({ name: 'finish', args: { summary: 'Plants are tracked.' } }),
    ])
    const { last } = await this.#watchBuild(this.#bob, this.#neighbour)
    assert.equal(last?.['status'], 'built', `the neighbour's build: ${JSON.stringify(last)}`)
  }

  /**
   * Runs an attack while /health is polled and the other organization builds. Asserts that both are
   * unaffected: /health responds in time, the process keeps running within its memory, and the other build
   * succeeds.
   */
  async withstands<T>(t: TestContext, attack: () => Promise<T>): Promise<T> {
    const { pid } = this.service
    const watch = watchHealth({ url: this.service.url, pid })
    const outcomes = await Promise.allSettled([attack(), this.neighbourBuilds()])
    const health = await watch.stop()
    t.diagnostic(JSON.stringify({ ...health, failures: health.failures.length }))
    assert.equal(familyOf(pid).length > 1 && (await this.service.isHealthy()), true, 'the service is gone')
    assertHealthy(health)
    const [attacked, neighbour] = outcomes
    if (neighbour.status === 'rejected') throw neighbour.reason
    if (attacked.status === 'rejected') throw attacked.reason
    return attacked.value
  }

  /** Returns the share of a core that the service and its child processes use, 15 s after the last build. */
  async shareWhenIdle(): Promise<{ share: number; busiest: string }> {
    await sleep(Math.max(0, this.#endedAt + IDLE_AFTER_MS - performance.now()))
    const family = familyOf(this.service.pid)
    const before = cpuSecondsOf(family)
    const began = performance.now()
    await sleep(IDLE_LOOK_MS)
    const seconds = (performance.now() - began) / 1000
    const spent = [...cpuSecondsOf(family)].map(([pid, now]) => ({
      pid,
      share: Math.max(0, now - (before.get(pid) ?? 0)) / seconds,
    }))
    const busiest = spent.toSorted((a, b) => b.share - a.share).slice(0, 3)
    return { share: spent.reduce((sum, { share }) => sum + share, 0), busiest: JSON.stringify(busiest) }
  }

  async assertIdle(): Promise<void> {
    const { share, busiest } = await this.shareWhenIdle()
    assert.ok(share < IDLE_SHARE_MAX, `${share.toFixed(2)} of a core is in use: ${busiest}`)
  }
}

export function assertHealthy(health: Health): void {
  assert.ok(health.asked >= 5, `only ${health.asked} samples`)
  assert.deepEqual(health.failures, [])
  assert.ok(health.slowestMs < HEALTH_MS_MAX, `/health took ${Math.round(health.slowestMs)} ms`)
  assert.ok(health.serviceMbMax < SERVICE_MB_MAX, `the service held ${Math.round(health.serviceMbMax)} MB`)
  assert.ok(health.childMbMax < CHILD_MB_MAX, `a program held ${Math.round(health.childMbMax)} MB`)
}

/** Asserts that the run ended with a regular result or error, and not with an internal error. */
export function assertSettled({ last }: HostileBuild): void {
  assert.ok(last?.type === 'done' || last?.type === 'error', `not over: ${JSON.stringify(last)}`)
  assert.notEqual(last['kind'], 'server_error', JSON.stringify(last))
}

export const calls = (...made: RawCall[]) => modelResponse({ calls: made })
export const write = (path: string, content: string): RawCall => ({
  name: 'write_file',
  args: { path, content },
})
export const remove = (path: string): RawCall => ({ name: 'delete_file', args: { path } })
