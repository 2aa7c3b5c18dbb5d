import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { ApiFailure } from '../../rest/failure.ts'
import { openWorkerGroups } from '../../runtime/testing.ts'
import { resumeInstances, WorkflowInstances } from './instances.ts'
import { openWorkflows } from './testing.ts'
import { AppUnavailableError, WaitRefusedError } from '../../workerd/groups.ts'

const INSTANCE = { id: 'order-1', status: 'running' as const, createdOn: '2026-06-01T10:00:00Z', logs: [] }

describe('instances of a workflow in the process that runs them', () => {
  let groups: Awaited<ReturnType<typeof openWorkerGroups>>
  let world: ReturnType<typeof openWorkflows>
  let instances: WorkflowInstances
  beforeEach(async () => {
    groups = await openWorkerGroups()
    world = openWorkflows(0)
    instances = new WorkflowInstances(groups.apps)
  })
  afterEach(() => {
    groups.close()
    world.store.close()
  })

  const group = () => groups.group(world.groupId)
  const requested = () =>
    groups.requests.map(({ path, body }) => [path.replace(`/${world.workflow.id}/`, ''), JSON.parse(body)])
  const read = () => instances.read(world.workflow, 'order-1')
  const refusal = async (work: () => Promise<unknown>) => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      return [error.status, error.code, error.message]
    }
  }

  test("a call about a workflow instance reaches the workflow's process with its input and returns the process's result", async () => {
    groups.answer = () => Response.json(INSTANCE)
    const { workflow } = world
    assert.deepEqual(await instances.create(workflow, { id: 'order-1', params: { a: 1 } }), INSTANCE)
    assert.deepEqual(await read(), INSTANCE)
    assert.deepEqual(await instances.change(workflow, 'order-1', 'pause'), INSTANCE)
    await instances.sendEvent(workflow, 'order-1', 'paid', { sum: 7 })
    groups.answer = () => Response.json([INSTANCE])
    const file = { objectId: 'o', createdAt: 0, status: 'running' as const }
    assert.deepEqual(await instances.describe(workflow, [file]), [INSTANCE])
    const removed = { deleted: [{ id: 'order-1' }], errors: [{ id: 'x', code: 1, message: 'none' }] }
    groups.answer = () => Response.json(removed)
    assert.deepEqual(await instances.remove(workflow, ['order-1', 'x']), removed)
    assert.deepEqual(requested(), [
      ['create', { id: 'order-1', params: { a: 1 } }],
      ['read', { id: 'order-1' }],
      ['change', { id: 'order-1', to: 'pause' }],
      ['event', { id: 'order-1', type: 'paid', payload: { sum: 7 } }],
      ['list', { objectIds: ['o'] }],
      ['remove', { ids: ['order-1', 'x'] }],
    ])
    assert.equal(group().entered, 0)
  })

  test('reading an empty list of workflow instances starts no process', async () => {
    assert.deepEqual([await instances.describe(world.workflow, []), groups.calls], [[], []])
  })

  test("an unknown workflow instance, an id in use and any other refusal return the provider's error codes", async () => {
    const refusals = []
    for (const message of ['(instance.not_found) no', 'instance order-1 already exists', 'bad params']) {
      groups.answer = () => Response.json({ message }, { status: 400 })
      refusals.push(await refusal(read))
    }
    assert.deepEqual(refusals, [
      [404, 10_202, 'workflows.api.error.instance_not_found'],
      [409, 10_201, 'instance order-1 already exists'],
      [400, 10_001, 'bad params'],
    ])
    assert.equal(group().entered, 0)
  })

  test('a workflow call returns 503 when the process does not start, is overloaded, or ends during the call', async () => {
    const unavailable = (reason: string) => [503, 10_001, `Workflow orders cannot run now: ${reason}.`]
    group().onSocket = async () => {
      throw new AppUnavailableError('the app does not start', 7)
    }
    assert.deepEqual(await refusal(read), unavailable('the app does not start'))
    group().onSocket = async () => {}
    group().onEnter = async () => {
      throw new WaitRefusedError('too many requests are waiting')
    }
    assert.deepEqual(await refusal(read), unavailable('too many requests are waiting'))
    group().onEnter = async () => {}
    groups.answer = () => null
    assert.deepEqual([await refusal(read), group().entered], [unavailable('its process has ended'), 0])
  })

  test('an unexpected response of the workflow process rejects the call', async () => {
    for (const answer of [Response.json({ id: 'x' }), new Response('no json')]) {
      groups.answer = () => answer
      await assert.rejects(read)
    }
    assert.equal(group().entered, 0)
  })

  describe('after a restart of the process', () => {
    const folder = () => join(groups.dir, 'workflows', `miniflare-workflows-${world.workflow.id}`)
    const noted = () => join(groups.dir, 'workflows', `resuming-${world.workflow.id}`)
    const objectId = (letter: string) => letter.repeat(64)
    const writeInstance = (letter: string, event: number) => {
      mkdirSync(folder(), { recursive: true })
      const db = new DatabaseSync(join(folder(), `${objectId(letter)}.sqlite`))
      db.exec(
        "CREATE TABLE states (id INTEGER PRIMARY KEY, timestamp TEXT DEFAULT (DATETIME('now')), event INTEGER)",
      )
      db.prepare('INSERT INTO states (event) VALUES (?)').run(event)
      db.close()
    }
    const warnings: object[] = []
    const log = {
      info: () => {},
      error: () => {},
      warn: (_text: string, more?: object) => void warnings.push(more ?? {}),
    }
    const resumeAll = async (socket?: string) => {
      const at = { socket: socket ?? (await group().socket('_flows')), stateDir: groups.dir }
      await resumeInstances({ store: world.store, log }, { id: world.groupId }, at)
    }

    test('after a restart, only active workflow instances are resumed, and problems are logged', async () => {
      for (const [letter, event] of [
        ['a', 1],
        ['b', 2],
        ['c', 27],
      ] as const)
        writeInstance(letter, event)
      let notes = ''
      groups.answer = () => {
        notes = readFileSync(noted(), 'utf8')
        return Response.json({ problems: ['Error: broken'] })
      }
      await resumeAll()
      assert.deepEqual(requested(), [['resumeAfterRestart', { objectIds: [objectId('a')] }]])
      assert.deepEqual([notes, existsSync(noted())], [objectId('a'), false])
      assert.deepEqual(warnings.splice(0), [{ workflow: 'orders', problem: 'Error: broken' }])
    })

    test('a workflow instance paused in order to be resumed is resumed by the next process if the first one ends', async () => {
      writeInstance('a', 1)
      groups.answer = () => null
      await assert.rejects(resumeAll)
      const db = new DatabaseSync(join(folder(), `${objectId('a')}.sqlite`))
      db.exec('INSERT INTO states (event) VALUES (27)')
      db.close()
      groups.answer = () => Response.json({ problems: [] })
      await resumeAll()
      assert.deepEqual(requested().at(-1), ['resumeAfterRestart', { objectIds: [objectId('a')] }])
      assert.equal(existsSync(noted()), false)
    })
  })
})
