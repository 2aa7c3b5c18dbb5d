import * as z from 'zod'
import type { Cloud } from '../client.ts'

const Workflow = z.looseObject({
  id: z.string(),
  script_name: z.string(),
  class_name: z.string(),
})
export type Workflow = z.output<typeof Workflow>

export interface WorkflowInput {
  script: string
  className: string
  stepsMax: number
  /** The maximum number of instances that run at once. Null means the maximum that the account allows. */
  concurrency: number | null
  retentionDays: number
}

const Listed = z.looseObject({
  id: z.string(),
  status: z.string(),
  created_on: z.string(),
})

const Failure = z.looseObject({ name: z.string().nullish(), message: z.string() })
const Step = z.looseObject({
  name: z.string(),
  type: z.string(),
  start: z.string().nullish(),
  end: z.string().nullish(),
  success: z.boolean().nullish(),
  finished: z.boolean().nullish(),
  error: Failure.nullish(),
  attempts: z.array(z.looseObject({ error: Failure.nullish() })).nullish(),
})
const Instance = z.looseObject({
  status: z.string(),
  params: z.unknown(),
  queued: z.string().nullish(),
  start: z.string().nullish(),
  end: z.string().nullish(),
  error: Failure.nullish(),
  steps: z.array(Step),
})
export type WorkflowInstance = z.output<typeof Instance>
export type WorkflowStep = z.output<typeof Step>

const workflowPath = (name: string) => `/accounts/:account/workflows/${encodeURIComponent(name)}`
const instancePath = (name: string, id: string) => `${workflowPath(name)}/instances/${encodeURIComponent(id)}`

export const findWorkflow = (cloud: Cloud, name: string): Promise<Workflow | null> =>
  cloud.call({
    method: 'GET',
    path: workflowPath(name),
    doing: `look up the workflow ${name}`,
    result: Workflow,
    missing: 'null',
  })

/** Creates or changes a workflow. Existing instances keep running. Idempotent. */
export const putWorkflow = (cloud: Cloud, name: string, input: WorkflowInput): Promise<Workflow> =>
  cloud.call({
    method: 'PUT',
    path: workflowPath(name),
    json: {
      script_name: input.script,
      class_name: input.className,
      limits: { steps: input.stepsMax },
      ...(input.concurrency !== null && { concurrency: { limit: input.concurrency } }),
      default_retention: {
        success_retention: `${input.retentionDays} days`,
        error_retention: `${input.retentionDays} days`,
      },
    },
    doing: `create the workflow ${name}`,
    result: Workflow,
    write: { action: 'workflow.put', target: name },
  })

/** Deletes a workflow with its instances. Succeeds when there is none. */
export async function deleteWorkflow(cloud: Cloud, name: string): Promise<void> {
  await cloud.call({
    method: 'DELETE',
    path: workflowPath(name),
    doing: `remove the workflow ${name}`,
    result: z.unknown(),
    missing: 'null',
    write: { action: 'workflow.delete', target: name },
  })
}

/** Returns a page of instances, newest first; null when there is no such workflow. Pages count from 1. */
export const listInstances = (
  cloud: Cloud,
  name: string,
  { page, limit }: { page: number; limit: number },
): Promise<z.output<typeof Listed>[] | null> =>
  cloud.call({
    method: 'GET',
    path: `${workflowPath(name)}/instances`,
    query: { page: String(page), per_page: String(limit) },
    doing: `list the instances of the workflow ${name}`,
    result: z.array(Listed),
    missing: 'null',
  })

/** Returns null when there is no such workflow or instance. */
export const readInstance = (cloud: Cloud, name: string, id: string): Promise<WorkflowInstance | null> =>
  cloud.call({
    method: 'GET',
    path: instancePath(name, id),
    doing: `read an instance of the workflow ${name}`,
    result: Instance,
    missing: 'null',
  })

/** Ends an instance. Throws when it has already ended. */
export async function terminateInstance(cloud: Cloud, name: string, id: string): Promise<void> {
  await cloud.call({
    method: 'PATCH',
    path: `${instancePath(name, id)}/status`,
    json: { status: 'terminate' },
    doing: `end an instance of the workflow ${name}`,
    result: z.unknown(),
    write: { action: 'workflow.terminate', target: `${name} ${id}` },
  })
}
