import { internalWorker, type InternalWorker } from './internal-worker.ts'
import { workflowBindingOf } from '../products/workflows/binding.ts'
import { type GroupPlan, WORKFLOWS_WORKER } from '../workerd/plan.ts'
import { nativeBinding } from '../workerd/native-binding.ts'
import type { Workflow } from '../store/workflows.ts'

/**
 * The internal worker through which the REST API accesses the workflow instances of a process. Miniflare's explorer contains such a worker,
 * but doubles the start time. This worker binds the Durable Objects that run the instances, by Miniflare's name for their service.
 */
export const workflowsWorker: InternalWorker = {
  name: WORKFLOWS_WORKER,
  hasSocket: true,
  isBound: false,
  isNeeded: (plan) => runnableWorkflows(plan).length > 0,
  build: (plan) =>
    internalWorker(WORKFLOWS_WORKER, workerSource, {
      env: Object.fromEntries(
        runnableWorkflows(plan).flatMap((workflow) => [
          [`flow:${workflow.id}`, workflowBindingOf(workflow)],
          [
            `engine:${workflow.id}`,
            nativeBinding({
              durableObjectNamespace: { className: 'Engine', serviceName: `workflows:${workflow.id}` },
            }),
          ],
        ]),
      ),
    }),
}

/** Omits workflows whose class is missing, because they would prevent the process from starting. */
function runnableWorkflows({ workflows, workers }: GroupPlan): Workflow[] {
  return workflows.filter(({ scriptName, className }) =>
    workers.some(
      ({ script, content }) =>
        script.name === scriptName && content.namedHandlers.some(({ name }) => name === className),
    ),
  )
}

/** `POST /<workflow id>/<action>` with a JSON body; errors are 400 with the runtime's message. */
const workerSource = `
const STATUSES = ['queued', 'running', 'paused', 'errored', 'terminated', 'complete', 'waitingForPause', 'waiting']
const describe = async (stub) => {
  const { instanceId, status, createdOn } = await stub.getInstanceMetadata()
  return { id: instanceId, status: STATUSES[status] ?? 'unknown', createdOn, logs: await stub.readDetailedLogs() }
}
const byName = (engine, id) => engine.get(engine.idFromName(id))
const byObject = (engine, id) => engine.get(engine.idFromString(id))
async function settled(stub, status) {
  for (let n = 0; n < 100 && STATUSES[(await stub.getInstanceMetadata()).status] !== status; n++) await scheduler.wait(20)
}
// Resumes an instance: its sleeps and waits are timers in memory, which a new process does not have.
async function resumeInstance(flow, engine, objectId) {
  const { id, status, createdOn, logs } = await describe(byObject(engine, objectId))
  if (status === 'running' || status === 'waiting') {
    const instance = await flow.get(id)
    await instance.pause()
    await settled(byObject(engine, objectId), 'paused')
    await instance.resume()
  } else if (status === 'paused') {
    await (await flow.get(id)).resume()
  } else if (status === 'queued' || status === 'waitingForPause') {
    const payload = logs.find(({ event }) => event === 0)?.metadata.params ?? {}
    const event = { timestamp: new Date(createdOn), payload, instanceId: id }
    await byObject(engine, objectId).init(0, {}, {}, { id, created_on: createdOn }, event)
  }
}
const actions = {
  create: async (flow, engine, { id, params }) => {
    const instance = await flow.create({ id, params })
    // Waits until the instance is stored, because the promise of create() resolves earlier.
    for (let n = 0; n < 500 && !(await byName(engine, instance.id).hasInstance()); n++) await scheduler.wait(10)
    return describe(byName(engine, instance.id))
  },
  list: (_flow, engine, { objectIds }) => Promise.all(objectIds.map((id) => describe(byObject(engine, id)))),
  read: async (flow, engine, { id }) => {
    await flow.get(id)
    return describe(byName(engine, id))
  },
  change: async (flow, engine, { id, to, options }) => {
    const instance = await flow.get(id)
    await instance[to](options)
    return describe(byName(engine, id))
  },
  event: async (flow, _engine, { id, type, payload }) => {
    await (await flow.get(id)).sendEvent({ type, payload })
    return {}
  },
  remove: (flow, _engine, { ids }) => flow.deleteBatch(ids),
  resumeAfterRestart: async (flow, engine, { objectIds }) => {
    const done = await Promise.allSettled(objectIds.map((id) => resumeInstance(flow, engine, id)))
    return { problems: done.flatMap(({ reason }) => (reason === undefined ? [] : [String(reason)])) }
  },
}
export default {
  async fetch(request, env) {
    const [, id, what] = new URL(request.url).pathname.split('/')
    try {
      return Response.json(await actions[what](env['flow:' + id], env['engine:' + id], await request.json()))
    } catch (error) {
      return Response.json({ message: String(error?.message ?? error) }, { status: 400 })
    }
  },
}
`
