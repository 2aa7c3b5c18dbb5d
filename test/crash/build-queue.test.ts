import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Person } from '../support/client.ts'
import { serveScriptedModel } from '../support/scripted-model.ts'
import { ServiceProcess } from '../support/service.ts'

const TICKETS = 20
/** Builds that have ended when the service is killed. */
const KILL_AFTER = [4, 11, 12]
const SETTLED_MS_MAX = 60_000

interface Run {
  ticketId: string
  status: string
  attempt: number
  trigger: string
}

describe('R11: the queue keeps its order', () => {
  let service: ServiceProcess
  let model: Awaited<ReturnType<typeof serveScriptedModel>>
  let ann: Person
  before(async () => {
    ;[service, model] = await Promise.all([ServiceProcess.start(), serveScriptedModel()])
    ann = await Person.signUp(service.url)
  })
  after(async () => {
    await service.dispose()
    await model.close()
  })

  test(`${TICKETS} queued tickets are built once each and in order, with kill -9 in between`, async () => {
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
      await until(async () => (await readRuns(project)).filter(isDone).length >= count)
      await service.kill()
      await service.restart()
    }
    await until(async () => {
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
    // What is no end of a ticket is an attempt that a kill cut off.
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
    // Slow enough that a kill meets a build.
    await model.script('queue', [
      { text: 'It is there. '.repeat(4), fault: { kind: 'slow', perSecond: 20 }, repeat: true },
    ])
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

  async function until(isSo: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + SETTLED_MS_MAX
    while (!(await isSo())) {
      assert.ok(performance.now() < end, `not within ${SETTLED_MS_MAX} ms:\n${service.output}`)
      await sleep(50)
    }
  }
})
