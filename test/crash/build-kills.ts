import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunStepsTable } from '../../server/db/tables/runs.ts'
import { Person } from '../support/client.ts'
import type { Frame } from '../support/frames.ts'
import { requireSound, type StoredObject, writeRepository } from '../support/repository.ts'
import { finish, serveScriptedModel, write } from '../support/scripted-model.ts'
import { ServiceProcess } from '../support/service.ts'
import { Watcher } from '../support/watcher.ts'

/** A phase of a build: the event stream message that begins the phase, and its approximate duration. */
export interface Phase {
  name: string
  begins: (frame: Frame) => boolean
  lastsMs: number
  /** Makes the local cloud respond a second later. Without this, the phase would end before the kill. */
  isCloudSlow?: true
}

/** The result of a kill. Times are milliseconds since `/health` returned 200 again. */
export interface Outcome {
  attempts: number
  restartMs: number
  firstFrameMs: number | null
  settledMs: number
}

const SETTLED_MS_MAX = 60_000

const FILES = Array.from({ length: 6 }, (_, n) => ({
  path: `shared/part-${n}.ts`,
  content: `export const part${n} = '${'x'.repeat(400)}'\n`,
}))
/** The responses of the model, slow enough that the test can kill the service in every phase. */
const TURNS = [
  {
    text: 'A list and a form. '.repeat(8),
    toolCalls: FILES.slice(0, 5).map(({ path, content }) => write(path, content)),
    fault: { kind: 'slow', perSecond: 40 },
  },
  { toolCalls: [{ name: 'check', args: {} }] },
  { toolCalls: FILES.slice(5).map(({ path, content }) => write(path, content)) },
  { toolCalls: [finish()] },
]
/** The response to every further call of the model, so that a build with too many calls fails. */
const TOO_MUCH = { fault: 'http_401', repeat: true }

interface Run {
  id: string
  status: string
  attempt: number
  error: { kind: string } | null
}

/**
 * The service with its own database and provider stand-ins, and a model server in the process of the test,
 * which the kills do not affect.
 */
export class KillWorld {
  readonly service: ServiceProcess
  readonly model: Awaited<ReturnType<typeof serveScriptedModel>>
  readonly ann: Person
  #count = 0

  private constructor(service: ServiceProcess, model: KillWorld['model'], ann: Person) {
    this.service = service
    this.model = model
    this.ann = ann
  }

  static async open(): Promise<KillWorld> {
    const [service, model] = await Promise.all([ServiceProcess.start(), serveScriptedModel()])
    return new KillWorld(service, model, await Person.signUp(service.url))
  }

  async close(): Promise<void> {
    await this.service.dispose()
    await this.model.close()
  }

  /** Creates a project with one ticket and a model that sends these responses. Returns the path of the ticket. */
  async openTicket(key: string, turns: Record<string, unknown>[]): Promise<string> {
    const { ann, model } = this
    await model.script(key, turns)
    const connection = await ann.call<{ id: string }>('POST /connections/models', {
      provider: 'openai-compatible',
      label: key,
      baseUrl: model.baseUrl,
      key,
      defaultModel: 'scripted',
    })
    const project = await ann.call<{ id: string }>('POST /projects', { name: key })
    await ann.call(`PUT /projects/${project.id}/model`, { connectionId: connection.id, model: 'scripted' })
    const title = 'Track plants'
    const ticket = await ann.call<{ id: string }>(`POST /projects/${project.id}/tickets`, { title })
    return `/projects/${project.id}/tickets/${ticket.id}`
  }

  /** Kills the service `afterMs` after a phase started, and asserts that nothing is lost. */
  async killBuild(phase: Phase, afterMs: number): Promise<Outcome> {
    const { service, model } = this
    // A project name with `slow-1s` delays the local cloud.
    const key = `kill-${++this.#count}${phase.isCloudSlow === true ? '-slow-1s' : ''}`
    const place = await this.openTicket(key, [...TURNS, TOO_MUCH])
    const watcher = new Watcher(this.ann, place)
    const kills: Promise<void>[] = []
    await watcher.read((frame) => {
      if (kills.length === 0 && phase.begins(frame)) kills.push(sleep(afterMs).then(() => service.kill()))
    })
    assert.equal(kills.length, 1, `the build never came to: ${phase.name}`)
    await Promise.all(kills)
    await model.deserted()
    const asked = (await model.calls(key)).length
    const stored = await this.#finishedCalls(place)
    // An interrupted check is not repeated. The model is told so in the tool result and calls `finish` again, so the script has one more
    // response.
    const left = [...TURNS.slice(stored), ...((await this.#wasFinishing(place)) ? TURNS.slice(-1) : [])]
    await model.script(key, [...left, TOO_MUCH])
    const restartMs = await service.restart()
    const healthyAt = performance.now()
    const seen = watcher.frames.length
    let firstFrameMs: number | null = null
    if (!isOver(watcher))
      await watcher.read((frame) => {
        if (frame.type === 'run') firstFrameMs ??= performance.now() - healthyAt
      })
    const settledMs = performance.now() - healthyAt
    assert.ok(settledMs < SETTLED_MS_MAX, `settled after ${Math.round(settledMs)} ms`)
    const calls = (await model.calls(key)).length
    assert.equal(calls, left.length, `${asked} calls before the kill, ${stored} of them finished`)
    const attempts = await this.#requireWhole(place, watcher)
    if (attempts > 1)
      assert.ok(
        watcher.frames.slice(seen).some(({ type }) => type === 'resuming'),
        'nothing told of it',
      )
    return { attempts, restartMs, firstFrameMs, settledMs }
  }

  /**
   * Asserts that the watcher got every stored message of the build, and that the build made one complete
   * version and fired one event. Returns the number of attempts.
   */
  async #requireWhole(place: string, watcher: Watcher): Promise<number> {
    const { ann } = this
    const project = place.split('/tickets')[0] ?? ''
    assert.equal(watcher.frames.at(-1)?.['status'], 'built', JSON.stringify(watcher.frames.at(-1)))
    const runs = (await ann.call<{ items: Run[] }>(`GET ${project}/runs`)).items.toReversed()
    const told = runs.map(({ status, error }) => (status === 'failed' ? error?.kind : status))
    assert.deepEqual(told, [...runs.slice(1).map(() => 'interrupted'), 'succeeded'])
    assert.equal(
      watcher.frames.filter(({ type }) => type === 'resuming').length,
      runs.length - 1,
      'one resuming for each run that goes on from another',
    )
    const seen = watcher.runs()
    assert.deepEqual(
      [...seen.keys()],
      runs.map(({ id }) => id),
    )
    for (const [run, frames] of seen)
      assert.deepEqual(frames, await ann.call(`GET ${project}/runs/${run}/events`))
    await this.#requireOneVersion(project)
    return runs.length
  }

  async #requireOneVersion(project: string): Promise<void> {
    const versions = await this.ann.call<{ sha: string }[]>(`GET ${project}/versions`)
    assert.equal(versions.length, 1)
    const source = await this.ann.call<{ files: Record<string, string> }>(`GET ${project}/source`)
    for (const { path, content } of FILES) assert.equal(source.files[path], content)
    const id = project.split('/').at(-1)
    const objects = await this.service.query<StoredObject>(
      'select oid, type, data from git_objects where project_id = $1',
      [id],
    )
    requireSound(writeRepository(objects, versions[0]?.sha ?? ''), 1)
    const events = await this.service.query<{ type: string }>(
      `select type from events where project_id = $1 and type like 'ticket.build.%'`,
      [id],
    )
    assert.deepEqual(events, [{ type: 'ticket.build.succeeded' }])
  }

  /**
   * Returns the number of model calls whose response is stored. Waits until the service's last database
   * connection is closed, because its statements continue after the kill.
   */
  async #finishedCalls(place: string): Promise<number> {
    for (const end = performance.now() + SETTLED_MS_MAX; await this.#isConnected(); await sleep(10))
      assert.ok(performance.now() < end, 'the database does not let go of the service')
    const [row] = await this.service.query<{ count: number }>(
      `select count(*)::int as count from run_steps join runs on runs.id = run_steps.run_id
       where runs.ticket_id = $1`,
      [place.split('/').at(-1)],
    )
    return row?.count ?? 0
  }

  /** Returns whether the model's last response called `finish`, and the call was started but has no result. */
  async #wasFinishing(place: string): Promise<boolean> {
    const [last] = await this.service.query<Pick<RunStepsTable, 'begun' | 'results' | 'message'>>(
      `select begun, results, run_steps.message from run_steps join runs on runs.id = run_steps.run_id
       where runs.ticket_id = $1 order by runs.created_at desc, runs.id desc, step desc limit 1`,
      [place.split('/').at(-1)],
    )
    if (last === undefined || last.begun === null) return false
    const { calls } = JSON.parse(last.message)
    const answered = JSON.parse(last.results).length
    return last.begun >= answered && calls[last.begun]?.name === 'finish'
  }

  async #isConnected(): Promise<boolean> {
    const others = await this.service.query(
      `select from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
      [],
    )
    return others.length > 0
  }
}

const isOver = (watcher: Watcher) => ['done', 'error'].includes(watcher.frames.at(-1)?.type ?? '')
