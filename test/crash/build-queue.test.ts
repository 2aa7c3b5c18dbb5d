import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Person } from '../support/client.ts'
import { finish, serveScriptedModel, write } from '../support/scripted-model.ts'
import { ServiceProcess } from '../support/service.ts'
import { times } from '../support/soak.ts'

const TICKETS = 20
/** The service is killed after these numbers of ended builds. */
const KILL_AFTER = [11, 4, 12].slice(0, times(1, 3)).toSorted((a, b) => a - b)
const SETTLED_MS_MAX = 60_000

interface Run {
  ticketId: string
  status: string
  attempt: number
  trigger: string
  startedAt: string
  finishedAt: string
}

describe('the build queue after a crash', () => {
  let service: ServiceProcess
  let model: Awaited<ReturnType<typeof serveScriptedModel>>
  let ann: Person
  before(async () => {
    // Without the local cloud there are no previews, which are not tested here.
    ;[service, model] = await Promise.all([
      ServiceProcess.start({ SLIPWAY_LOCAL_WORLD: 'off' }),
      serveScriptedModel(),
    ])
    ann = await Person.signUp(service.url)
  })
  after(async () => {
    await service.dispose()
    await model.close()
  })

  test(`${TICKETS} queued tickets are each built once, in order, even if the service is killed during the builds`, async () => {
    const project = await openProject()
    const tickets: string[] = []
    for (let n = 0; n < TICKETS; n++) {
      const ticket = await ann.call<{ id: string }>(`POST ${project}/tickets`, { title: `Ticket ${n}` })
      tickets.push(ticket.id)
    }
    const { queued } = await ann.call<{ queued: string[] }>(`POST ${project}/build/queue`, {
      ticketIds: tickets,
    })
    assert.deepEqual(queued, tickets)
    for (const count of KILL_AFTER) {
      await untilEnded(project, async (ended) => ended >= count)
      await service.kill()
      await service.restart()
    }
    await untilEnded(project, async () => {
      const line = await ann.call<{ running: object | null; queued: object[] }>(`GET ${project}/build/queue`)
      return line.running === null && line.queued.length === 0
    })
    const runs = (await readRuns(project)).toReversed()
    assert.deepEqual(
      runs.filter(isDone).map((run) => run.ticketId),
      tickets,
      'each once, in the order they were queued',
    )
    assert.ok(runs.every((run) => run.trigger === 'queue'))
    const spans = runs.map(({ startedAt, finishedAt }) => [Date.parse(startedAt), Date.parse(finishedAt)])
    for (const [n, [, finished = 0]] of spans.entries())
      assert.ok(finished <= (spans[n + 1]?.[0] ?? Infinity), `run ${n + 1} began before run ${n} had ended`)
    const versions = await ann.call<{ ticketId: string }[]>(`GET ${project}/versions`)
    assert.deepEqual(versions.map(({ ticketId }) => ticketId).toReversed(), tickets, 'one version each')
    // All runs that did not succeed were interrupted by a kill.
    const cut = runs.filter((run) => !isDone(run))
    assert.ok(
      cut.every((run) => run.status === 'failed') && cut.length <= KILL_AFTER.length,
      JSON.stringify(cut),
    )
  })

  const isDone = (run: Run) => run.status === 'succeeded'
  const readRuns = async (project: string) =>
    (await ann.call<{ items: Run[] }>(`GET ${project}/runs?limit=500`)).items

  async function openProject(): Promise<string> {
    // Each response of the model writes other content, so that each build has a commit. A call that was
    // interrupted is repeated and gets the next response. The responses are slow, so that a kill interrupts a
    // running build.
    const turns = Array.from({ length: TICKETS + KILL_AFTER.length }, (_, n) => ({
      toolCalls: [write('shared/plants.ts', `export const plants = ${n}\n`), finish(`${n} plants.`)],
      fault: { kind: 'slow', perSecond: 40 },
    }))
    await model.script('queue', turns)
    const connection = await ann.call<{ id: string }>('POST /connections/models', {
      provider: 'openai-compatible',
      label: 'queue',
      baseUrl: model.baseUrl,
      key: 'queue',
      defaultModel: 'scripted',
    })
    const project = await ann.call<{ id: string }>('POST /projects', { name: 'Queue' })
    await ann.call(`PUT /projects/${project.id}/model`, { connectionId: connection.id, model: 'scripted' })
    return `/projects/${project.id}`
  }

  /** Waits until `isSo` returns true. The time limit starts again with each ended build. */
  async function untilEnded(project: string, isSo: (ended: number) => Promise<boolean>): Promise<void> {
    let ended = 0
    for (let end = performance.now() + SETTLED_MS_MAX; ; await sleep(50)) {
      const count = (await readRuns(project)).filter(isDone).length
      if (count > ended) end = performance.now() + SETTLED_MS_MAX
      ended = count
      if (await isSo(ended)) return
      assert.ok(performance.now() < end, `no build ended for ${SETTLED_MS_MAX} ms:\n${service.output}`)
    }
  }
})
