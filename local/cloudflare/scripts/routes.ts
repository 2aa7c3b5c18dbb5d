import { Hono, type Context } from 'hono'
import * as scripts from '../store/scripts.ts'
import { draftFromUpload, storeAssetRules, storeModules } from './draft.ts'
import { dropEmptyGroup } from './groups.ts'
import { withWorkerLock, publish, type PublishedScript } from './publish.ts'
import { checkNoConsumer } from '../products/queues/workers.ts'
import type { Script, ScriptSettings } from '../types.ts'
import { listGroupWorkflows } from '../store/workflows.ts'
import { readUpload } from './upload.ts'
import type { ApiEnv } from '../rest/context.ts'
import type { ScriptsCloud } from './context.ts'
import { respondWithList, respond } from '../rest/envelope.ts'
import { ApiFailure, noSuchScript } from '../rest/failure.ts'
import { findScriptOrRefuse } from '../rest/find-script.ts'
import { dependants, toReferences, toTailProducers } from './references.ts'
import { toScript, toService, toWorker } from './shapes.ts'
import { readActiveVersion, updateScript } from '../store/scripts.ts'
import { observationOf } from '../observability/tail/observation.ts'

/** Script names that the provider accepts. A leading underscore is reserved for internal workers. */
const SCRIPT_NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/

const noSuchService = () => new ApiFailure(404, 10090, 'This service does not exist on your account.')

/** Returns the source that is recorded for a change: `wrangler` when the user agent names it. */
export function sourceOf(c: Context<ApiEnv>): string {
  return /wrangler/i.test(c.req.header('user-agent') ?? '') ? 'wrangler' : 'api'
}

/** Creates a version from an upload, and deploys it when `isDeployed`. */
export async function publishUpload(
  cloud: ScriptsCloud,
  c: Context<ApiEnv>,
  isDeployed: boolean,
): Promise<PublishedScript> {
  const account = c.get('account')
  const name = c.req.param('script') ?? ''
  if (!SCRIPT_NAME.test(name)) throw new ApiFailure(400, 10016, `'${name}' is not a valid Worker name.`)
  const upload = await readUpload(c.req.raw, account)
  const modules = await storeModules(cloud, account.id, upload)
  const assetRules = await storeAssetRules(cloud, account.id, upload)
  const stored = { upload, modules, assetRules, source: sourceOf(c) }
  const published = await publish(
    cloud,
    account,
    name,
    (current) => {
      if (!isDeployed && current.script === null) throw noSuchScript()
      const draft = draftFromUpload(cloud, account.id, current, stored)
      const { created, renamed, deleted } = draft.change
      const migrates =
        upload.metadata.migrations !== undefined && [created, renamed, deleted].flat().length > 0
      if (!isDeployed && migrates)
        throw new ApiFailure(
          400,
          10211,
          'A version with a Durable Object migration must be deployed at once.',
        )
      return draft
    },
    { isDeployed },
  )
  if (isDeployed) keepScriptSettings(cloud, published.script, upload.metadata)
  return published
}

function keepScriptSettings(
  cloud: ScriptsCloud,
  published: Script,
  metadata: {
    tags?: string[] | null | undefined
    logpush?: boolean | null | undefined
    observability?: unknown
  },
): void {
  // Read the script again, because it may have changed while the data of removed classes was deleted.
  const script = scripts.findScriptById(cloud.store, published.id)
  if (script === null) return
  const settings = { ...script.settings }
  if (metadata.tags !== undefined && metadata.tags !== null) settings.tags = metadata.tags
  if (metadata.logpush !== undefined && metadata.logpush !== null) settings.logpush = metadata.logpush
  if (metadata.observability !== undefined) settings.observability = metadata.observability
  saveSettings(cloud, script, settings)
}

/** Returns whether the worker has all tags that a filter such as `live:yes,draft:no` requires, and no tag that it excludes. */
function hasTags({ settings }: Script, filter: string): boolean {
  return filter.split(',').every((pair) => {
    const [, tag, wanted] = /^(.+):(yes|no)$/.exec(pair) ?? []
    return tag === undefined || (settings.tags ?? []).includes(tag) === (wanted === 'yes')
  })
}

export function scriptRoutes(cloud: ScriptsCloud): Hono<ApiEnv> {
  const activeContent = (script: Script) => scripts.readActiveVersion(cloud.store, script.id)?.content ?? null
  return new Hono<ApiEnv>()
    .get('/scripts', (c) =>
      respondWithList(
        c,
        scripts
          .listScripts(cloud.store, c.get('account').id)
          .filter((script) => hasTags(script, c.req.query('tags') ?? ''))
          .map((script) => toScript(script, activeContent(script))),
      ),
    )
    .put('/scripts/:script', async (c) => {
      const { script, version } = await publishUpload(cloud, c, true)
      return respond(c, {
        ...toScript(script, version.content),
        startup_time_ms: version.content.startupTimeMs,
        // As at the provider, this is the id of the version without dashes.
        deployment_id: version.id.replaceAll('-', ''),
        entry_point: version.content.mainModule,
      })
    })
    .get('/services/:script', (c) => {
      const script = findScriptOrRefuse(cloud, c, noSuchService)
      return respond(c, toService(script, activeContent(script)))
    })
    .get('/workers/:script', (c) => respond(c, toWorker(findScriptOrRefuse(cloud, c, noSuchService))))
    .get('/scripts/:script/references', (c) => respond(c, toReferences(cloud, findScriptOrRefuse(cloud, c))))
    .get('/tails/by-consumer/:script', (c) =>
      respond(c, toTailProducers(cloud, findScriptOrRefuse(cloud, c))),
    )
    .delete('/scripts/:script', (c) => removeScript(cloud, c))
    .delete('/services/:script', (c) => removeScript(cloud, c))
}

/** Removes a worker. First waits for an upload in progress, which would otherwise create the worker again without its Durable Objects. */
function removeScript(cloud: ScriptsCloud, c: Context<ApiEnv>): Promise<Response> {
  return withWorkerLock(c.get('account'), c.req.param('script') ?? '', () => removeLockedScript(cloud, c))
}

async function removeLockedScript(cloud: ScriptsCloud, c: Context<ApiEnv>): Promise<Response> {
  const script = findScriptOrRefuse(cloud, c, noSuchService)
  const others = dependants(cloud, script)
  if (others.length > 0 && c.req.query('force') !== 'true') {
    throw new ApiFailure(
      400,
      10064,
      `This Worker is bound by ${others.join(', ')}; delete it with force=true.`,
    )
  }
  if (c.req.query('force') !== 'true') checkNoConsumer(cloud.store, script)
  const namespaceIds = scripts.listNamespaces(cloud.store, script.id).map(({ id }) => id)
  const flows = listGroupWorkflows(cloud.store, script.groupId).filter((flow) => flow.scriptId === script.id)
  cloud.store.transact(() => {
    scripts.deleteScript(cloud.store, script)
    dropEmptyGroup(cloud.store, script.groupId)
  })
  cloud.apps.applyGroupChange(script.accountId, script.groupId)
  await cloud.apps.deleteObjectData(script, namespaceIds)
  for (const flow of flows) await cloud.instances.deleteAll(flow)
  return respond(c, null)
}

/** Stores settings of a script. Restarts the script's process when the settings change which logs and invocations are recorded. */
export function saveSettings({ store, apps }: ScriptsCloud, script: Script, settings: ScriptSettings): void {
  updateScript(store, { ...script, settings })
  const content = readActiveVersion(store, script.id)?.content
  if (content === undefined || observationOf(script, content) === observationOf({ settings }, content)) return
  apps.applyGroupChange(script.accountId, script.groupId)
}
