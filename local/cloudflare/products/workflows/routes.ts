import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import { findScript, readActiveVersion } from '../../store/scripts.ts'
import {
  deleteWorkflow,
  findWorkflow,
  listWorkflows,
  putWorkflow,
  type Workflow,
} from '../../store/workflows.ts'
import type { ApiEnv } from '../../rest/context.ts'
import { respond, respondWithPage } from '../../rest/envelope.ts'
import { ApiFailure, noSuchScript } from '../../rest/failure.ts'
import { readBody } from '../../rest/read-body.ts'
import { instanceRoutes, listInstances } from './instance-routes.ts'
import {
  findWorkflowOrRefuse,
  toChangedWorkflow,
  toVersion,
  toWorkflow,
  type WorkflowsCloud,
} from './shapes.ts'

const WORKFLOW_NAME = /^[a-zA-Z0-9_][a-zA-Z0-9_-]{0,63}$/

const Input = z.looseObject({
  script_name: z.string(),
  class_name: z.string(),
  limits: z.object({ steps: z.number().int().min(1).max(25_000).optional() }).optional(),
  schedules: z.array(z.unknown()).default([]),
})

/** Workflows over REST, mounted at /workflows. Schedules of workflows are refused, because they are not simulated. */
export function workflowRoutes(cloud: WorkflowsCloud): Hono<ApiEnv> {
  const toShape = (workflow: Workflow) => toWorkflow(workflow, cloud.instances.list(workflow))
  return new Hono<ApiEnv>()
    .get('/', (c) => {
      const part = c.req.query('search') ?? ''
      const found = listWorkflows(cloud.store, c.get('account').id)
      return respondWithPage(c, found.filter(({ name }) => name.includes(part)).map(toShape))
    })
    .get('/:workflow', (c) => respond(c, toShape(findWorkflowOrRefuse(cloud, c))))
    .put('/:workflow', async (c) => respond(c, toChangedWorkflow(await makeWorkflow(cloud, c))))
    .delete('/:workflow', async (c) => {
      const workflow = findWorkflowOrRefuse(cloud, c)
      deleteWorkflow(cloud.store, workflow)
      cloud.apps.applyGroupChange(workflow.accountId, workflow.groupId)
      await cloud.instances.deleteAll(workflow)
      return respond(c, { status: 'ok', success: true })
    })
    .get('/:workflow/versions', (c) => respondWithPage(c, [toVersion(findWorkflowOrRefuse(cloud, c))]))
    .get('/:workflow/versions/:version', (c) => {
      const workflow = findWorkflowOrRefuse(cloud, c)
      if (workflow.versionId !== c.req.param('version'))
        throw new ApiFailure(404, 10_200, 'workflows.api.error.version_not_found')
      return respond(c, toVersion(workflow))
    })
    .get('/:workflow/instances/', listInstances(cloud))
    .route('/:workflow/instances', instanceRoutes(cloud))
}

async function makeWorkflow(cloud: WorkflowsCloud, c: Context<ApiEnv>): Promise<Workflow> {
  const { store } = cloud
  const accountId = c.get('account').id
  const name = c.req.param('workflow') ?? ''
  const { script_name: scriptName, class_name: className, schedules, ...settings } = await readBody(c, Input)
  if (schedules.length > 0)
    throw new ApiFailure(400, 10_021, 'Schedules of workflows are not available in the local cloud.')
  if (!WORKFLOW_NAME.test(name)) throw new ApiFailure(400, 10_001, `'${name}' is not a valid workflow name.`)
  const script = findScript(store, accountId, scriptName)
  if (script === null) throw noSuchScript()
  const content = readActiveVersion(store, script.id)?.content
  if (content?.namedHandlers.some((handler) => handler.name === className) !== true)
    throw new ApiFailure(400, 10_021, `The script '${scriptName}' does not export class '${className}'.`)
  const before = findWorkflow(store, accountId, name)
  if (before !== null && before.groupId !== script.groupId && cloud.instances.list(before).length > 0)
    throw new ApiFailure(
      400,
      10_021,
      `The local cloud cannot give ${name} to ${scriptName}: its instances are in another group of workers.`,
    )
  const made = putWorkflow(store, { accountId, scriptId: script.id, name, className, settings }, cloud.now())
  if (before !== null && before.groupId !== made.groupId)
    cloud.apps.applyGroupChange(accountId, before.groupId)
  if (!isUnchanged(before, made)) cloud.apps.applyGroupChange(accountId, made.groupId)
  return made
}

/** Returns true when nothing changed that requires a restart of the process. */
function isUnchanged(before: Workflow | null, made: Workflow): boolean {
  const definitionOf = ({ scriptId, className, settings }: Workflow) => [
    scriptId,
    className,
    settings.limits?.steps,
  ]
  return before !== null && JSON.stringify(definitionOf(before)) === JSON.stringify(definitionOf(made))
}
