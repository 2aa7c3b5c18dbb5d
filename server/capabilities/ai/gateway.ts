import { ensureGateway, listTextModels } from '../../cloudflare/products/ai.ts'
import { CloudflareError } from '../../cloudflare/errors.ts'
import type { Core } from '../../core.ts'
import type { RegisteredResource } from '../../resources/kinds/kind.ts'
import type { AccountWorkerParts } from '../../capability-declaration/capability.ts'
import { findResource, resourceKey, settleResource } from '../../resources/registry.ts'
import type { ProjectRef, ResourceWork } from '../../resources/work.ts'
import { parseSettings } from '../../capability-state/settings.ts'
import { readStoredSettings } from '../../capability-state/variables.ts'
import { AiSettings, gatewayName } from './declaration.ts'

/**
 * If the settings name no model, the first model in this list that the account offers is used. The provider documents that the first
 * one supports JSON schemas and function calls.
 */
const DEFAULT_MODELS = [
  '@cf/meta/llama-3.3-70b-instruct-fp8-fast',
  '@cf/meta/llama-4-scout-17b-16e-instruct',
  '@cf/mistralai/mistral-small-3.1-24b-instruct',
  '@cf/qwen/qwen3-30b-a3b-fp8',
  '@cf/meta/llama-3.1-8b-instruct-fast',
  '@cf/meta/llama-3.1-8b-instruct',
]

/** Creates the AI gateway, and chooses the model for apps whose settings name no model. */
export async function makeGateway(
  work: ResourceWork<'keyring' | 'makers'>,
  row: RegisteredResource,
): Promise<void> {
  const { platform, cloud, project } = work
  const shown = await listTextModels(cloud)
  const model = DEFAULT_MODELS.find((name) => shown.includes(name)) ?? shown[0]
  if (model === undefined)
    throw new CloudflareError(
      'product_disabled',
      'The connected Cloudflare account has no model that generates text. Enable Workers AI there.',
      { status: null },
    )
  await ensureGateway(cloud, row.name, row)
  await settleResource(platform, resourceKey(project, row), { state: 'ok', versionId: model })
  // The live worker is still bound to the former model, so publish the worker again.
  if (row.version_id !== null && row.version_id !== model) await platform.makers.live(work)
}

/** Returns the gateway and the model that the live worker uses. */
export async function readLiveAi(
  { db }: Core,
  project: Pick<ProjectRef, 'id' | 'org_id' | 'slug'>,
  accountId: string,
): Promise<AccountWorkerParts> {
  const key = { orgId: project.org_id, projectId: project.id, accountId }
  const [stored, gateway] = await Promise.all([
    readStoredSettings(db, project.id, 'ai'),
    findResource(db, { ...key, kind: 'ai_gateway', name: gatewayName(project) }),
  ])
  const { model } = parseSettings(AiSettings, stored)
  return {
    variables: { AI_GATEWAY: gatewayName(project), AI_MODEL: model ?? gateway?.version_id ?? '' },
    bindings: [],
  }
}
