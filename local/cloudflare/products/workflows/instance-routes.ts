import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import { setTriggered, type Workflow } from '../../store/workflows.ts'
import type { ApiEnv } from '../../rest/context.ts'
import { respond, respondPage, isoTime, readPage } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { readBody } from '../../rest/read-body.ts'
import {
  findWorkflowOrRefuse,
  toInstance,
  toListedInstance,
  toStepOutput,
  toSteps,
  type WorkflowsCloud,
} from './shapes.ts'

const NewInstance = z.object({ instance_id: z.string().optional(), params: z.unknown().optional() })
const Batch = z.array(NewInstance).min(1).max(100)
const Doomed = z.object({ instances: z.array(z.string()).min(1).max(100) })
const Change = z.object({
  status: z.enum(['pause', 'resume', 'terminate', 'restart']),
  from: z.unknown().optional(),
  rollback: z.boolean().optional(),
})

/** Exported separately, because this route is also mounted with a trailing slash, which wrangler requests. */
export function listInstances(cloud: WorkflowsCloud) {
  const { instances } = cloud
  return async (c: Context<ApiEnv>) => {
    const workflow = findWorkflowOrRefuse(cloud, c)
    const { status, date_start: from, date_end: until } = c.req.query()
    const files = instances
      .list(workflow)
      .filter((file) => status === undefined || file.status === status)
      .filter((file) => from === undefined || file.createdAt >= readDate(from))
      .filter((file) => until === undefined || file.createdAt <= readDate(until))
    const { shown, info } = readPage(c, files)
    const described = await instances.describe(workflow, shown)
    const result = described.map((instance) => toListedInstance(workflow, instance))
    return respondPage(c, result, info)
  }
}

/**
 * Instances of a workflow over REST, mounted at /workflows/:workflow/instances. The instances run in the process of the workflow's worker.
 */
export function instanceRoutes(cloud: WorkflowsCloud): Hono<ApiEnv> {
  const { instances } = cloud
  const createInstance = async (workflow: Workflow, input: z.output<typeof NewInstance>) => {
    const made = await instances.create(workflow, { id: input.instance_id, params: input.params })
    setTriggered(cloud.store, workflow, cloud.now())
    const { id, status } = made
    return { id, status, version_id: workflow.versionId, workflow_id: workflow.id, trigger_source: 'api' }
  }
  return new Hono<ApiEnv>()
    .get('/', listInstances(cloud))
    .post('/', async (c) => {
      const workflow = findWorkflowOrRefuse(cloud, c)
      const text = await c.req.text()
      const input = text === '' ? {} : await readBody(c, NewInstance)
      return respond(c, await createInstance(workflow, input))
    })
    .post('/batch', async (c) => {
      const workflow = findWorkflowOrRefuse(cloud, c)
      const inputs = await readBody(c, Batch)
      return respond(c, await Promise.all(inputs.map((input) => createInstance(workflow, input))))
    })
    .post('/batch/delete', async (c) => {
      const { instances: ids } = await readBody(c, Doomed)
      return respond(c, await instances.remove(findWorkflowOrRefuse(cloud, c), ids))
    })
    .get('/:instance/step', async (c) => {
      const workflow = findWorkflowOrRefuse(cloud, c)
      const { name, type } = c.req.query()
      const { logs } = await instances.read(workflow, c.req.param('instance'))
      const step = toSteps(logs).find((one) => one.name === name && one.type === type)
      if (step === undefined) throw new ApiFailure(404, 10_203, 'workflows.api.error.step_not_found')
      return respond(c, toStepOutput(step))
    })
    .get('/:instance', async (c) => {
      const workflow = findWorkflowOrRefuse(cloud, c)
      return respond(c, toInstance(workflow, await instances.read(workflow, c.req.param('instance'))))
    })
    .patch('/:instance/status', async (c) => {
      const workflow = findWorkflowOrRefuse(cloud, c)
      const { status, from, rollback } = await readBody(c, Change)
      const options = {
        ...(from === undefined ? {} : { from }),
        ...(rollback === undefined ? {} : { rollback }),
      }
      const changed = await instances.change(workflow, c.req.param('instance'), status, options)
      return respond(c, { status: changed.status, timestamp: isoTime(cloud.now()) })
    })
    .post('/:instance/events/:type', async (c) => {
      const workflow = findWorkflowOrRefuse(cloud, c)
      const text = await c.req.text()
      const payload: unknown = text === '' ? undefined : await readBody(c, z.unknown())
      await instances.sendEvent(workflow, c.req.param('instance'), c.req.param('type'), payload)
      return respond(c, { success: true })
    })
}

function readDate(text: string): number {
  const at = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes('T') ? text : `${text}Z`)
  if (Number.isNaN(at)) throw new ApiFailure(400, 10_001, `'${text}' is not a date.`)
  return at
}
