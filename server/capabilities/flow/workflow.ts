import type { Cloud } from '../../cloudflare/client.ts'
import { readServing } from '../../cloudflare/products/workers.ts'
import { findWorkflow, putWorkflow } from '../../cloudflare/products/workflows.ts'
import type { RegisteredResource } from '../../resources/kinds/kind.ts'
import {
  appName,
  type AppTier,
  FLOW_CLASS,
  type NamedProject,
  scriptsOfWorkflow,
  workflowName,
} from '../../resource-names.ts'
import { findResource, resourceKey, settleResource } from '../../resources/registry.ts'
import type { ResourceWork } from '../../resources/work.ts'
import { parseSettings } from '../../capability-state/settings.ts'
import { readStoredSettings } from '../../capability-state/variables.ts'
import { FlowSettings } from './declaration.ts'

type WorkflowContext = Pick<ResourceWork, 'platform' | 'cloud' | 'project'>

/**
 * Creates a workflow, or applies the settings to an existing one. A workflow belongs to a deployed worker: to the live
 * worker until the app's worker is deployed. A workflow that was deleted outside Slipway is created again, and connected
 * to the app's worker if this worker is deployed.
 */
export async function makeWorkflow(
  work: ResourceWork<'keyring' | 'releases'>,
  row: RegisteredResource,
): Promise<void> {
  const { cloud, project } = work
  const scripts = scriptsOfWorkflow(row.name)
  const found = await findWorkflow(cloud, row.name)
  const isKept = found !== null && scripts.includes(found.script_name)
  const script = isKept ? found.script_name : scripts[1]
  await deployWorkflow(work, { name: row.name, script })
  if (isKept || row.provider_id === null) return
  // If the app's worker was also deleted, publishing the worker again connects the workflow.
  if ((await readServing(cloud, scripts[0])) === null) return
  for (const tier of ['production', 'preview'] as const)
    if (row.name === workflowName(project, tier)) await work.platform.releases.connectTriggers(work, tier)
}

/** Lets the worker of a tier run its flows. The worker must already serve a version. Idempotent. */
export async function connectFlows(work: WorkflowContext, tier: AppTier): Promise<void> {
  const { project } = work
  await moveWorkflow(work, tier, appName(project, tier))
}

/**
 * Moves the flows of a tier to the live worker, which does not contain the app's code. So the flows wait there until
 * the app is shipped again.
 */
export const pauseFlows = (work: WorkflowContext, tier: AppTier): Promise<void> =>
  moveWorkflow(work, tier, scriptsOfWorkflow(workflowName(work.project, tier))[1])

/** Returns the reason why the app's worker does not run the flows of the live app; null when it does. */
export async function findUnservedFlowReason(cloud: Cloud, project: NamedProject): Promise<string | null> {
  const name = workflowName(project, 'production')
  const found = await findWorkflow(cloud, name)
  return found?.script_name === appName(project, 'production')
    ? null
    : `The worker of the app does not run ${name}. Ship the project to connect it again.`
}

/** Changes the worker that runs a workflow. Makes no call for a project that never had the capability. */
async function moveWorkflow(work: WorkflowContext, tier: AppTier, script: string): Promise<void> {
  const { platform, cloud, project } = work
  const name = workflowName(project, tier)
  const row = { account_id: cloud.accountId, kind: 'workflow' as const, name }
  if ((await findResource(platform.db, resourceKey(project, row))) === null) return
  const found = await findWorkflow(cloud, name)
  if (found !== null && found.script_name !== script) await deployWorkflow(work, { name, script })
}

async function deployWorkflow(
  work: WorkflowContext,
  { name, script }: { name: string; script: string },
): Promise<void> {
  const { platform, cloud, project } = work
  const stored = await readStoredSettings(platform.db, project.id, 'flow')
  const settings = parseSettings(FlowSettings, stored)
  const { id } = await putWorkflow(cloud, name, {
    script,
    className: FLOW_CLASS,
    stepsMax: settings.maxSteps,
    concurrency: settings.concurrency,
    retentionDays: settings.retentionDays,
  })
  const row = { account_id: cloud.accountId, kind: 'workflow' as const, name }
  await settleResource(platform, resourceKey(project, row), { state: 'ok', providerId: id })
}
