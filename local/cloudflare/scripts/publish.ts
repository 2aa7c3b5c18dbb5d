import { createHash } from 'node:crypto'
import type { ScriptsCloud } from './context.ts'
import { ApiFailure, noSuchScript } from '../rest/failure.ts'
import { checkBindings } from './merge-bindings.ts'
import { findReachableMembers } from './groups.ts'
import { applyChange } from './migrations.ts'
import type { NamespaceChange } from './migrations.ts'
import { commitWithPlacement } from './placement.ts'
import { reachedScripts } from '../products/index.ts'
import { readGroupPlan, withWorker } from '../workerd/plan.ts'
import type { GroupPlan } from '../workerd/plan.ts'
import { checkQueueHandler } from '../products/queues/workers.ts'
import * as scripts from '../store/scripts.ts'
import { Semaphore } from '../../world/semaphore.ts'
import type { Account, Binding, Deployment, Namespace, Script, Version, VersionContent } from '../types.ts'

export interface CurrentScript {
  script: Script | null
  namespaces: Namespace[]
  /** The latest version, deployed or not, from which a new version takes secrets and inherited bindings. */
  latest: Version | null
}

/** A version before it was validated: the fields that validation finds out are missing. */
export interface VersionDraft {
  content: Omit<VersionContent, 'handlers' | 'namedHandlers' | 'startupTimeMs' | 'etag'>
  change: NamespaceChange
}

export interface PublishedScript {
  script: Script
  version: Version
  deployment: Deployment | null
}

/** Why a deployment happened, in the provider's terms. */
export type Trigger = 'upload' | 'secret' | 'promotion' | 'rollback'

/** As at the provider, only the newest versions can be deployed. */
export const DEPLOYABLE_VERSIONS = 10
const WORKERS_MAX = { free: 100, paid: 500 }
const OBJECT_CLASSES_MAX = { free: 100, paid: 500 }

/**
 * Locks by worker and by project. Concurrent changes to one worker, or to workers of one project that use each other, run one after
 * another, because each change is checked against the previous change's result.
 */
const publishLocks = new Map<string, Semaphore>()

/** Runs `work` when all earlier changes of this worker have ended. */
export const withWorkerLock = <T>(account: Account, name: string, work: () => Promise<T>): Promise<T> =>
  withLock(`worker ${account.id}/${name}`, work)

/** Take this lock inside the lock of a worker, never the other way round, which would deadlock. */
const withProjectLock = <T>(account: Account, name: string, work: () => Promise<T>): Promise<T> =>
  withLock(`project ${account.id}/${name.replace(/-(?:preview|live|admin|assets)$/, '')}`, work)

function withLock<T>(key: string, work: () => Promise<T>): Promise<T> {
  let lock = publishLocks.get(key)
  if (lock === undefined) {
    lock = new Semaphore(1)
    publishLocks.set(key, lock)
  }
  return lock.run(work)
}

/**
 * Creates a version and optionally deploys it. First starts the new version with the other workers of its
 * process in a temporary process, so that a version that does not start changes nothing.
 */
export function publish(
  cloud: ScriptsCloud,
  account: Account,
  name: string,
  makeDraft: (current: CurrentScript) => VersionDraft,
  options: { isDeployed: boolean; trigger?: Trigger },
): Promise<PublishedScript> {
  return withWorkerLock(account, name, async () => {
    const script = scripts.findScript(cloud.store, account.id, name)
    const current: CurrentScript = {
      script,
      namespaces: script === null ? [] : scripts.listNamespaces(cloud.store, script.id),
      latest: script === null ? null : scripts.readLatestVersion(cloud.store, script.id),
    }
    const draft = makeDraft(current)
    const checkAndPublish = () => publishDraft(cloud, account, { name, current, draft }, options)
    // A new worker that binds no other worker is started alone for the validation, so it needs no lock of its
    // project.
    const isAlone = script === null && reachedScripts(name, draft.content.bindings).length === 0
    return isAlone ? await checkAndPublish() : await withProjectLock(account, name, checkAndPublish)
  })
}

/** Call it while holding the locks that `publish` takes. */
async function publishDraft(
  cloud: ScriptsCloud,
  account: Account,
  { name, current, draft }: { name: string; current: CurrentScript; draft: VersionDraft },
  { isDeployed, trigger = 'upload' }: { isDeployed: boolean; trigger?: Trigger },
): Promise<PublishedScript> {
  const { script } = current
  const at = cloud.now()
  const namespaces = applyChange(current.namespaces, draft.change, script?.id ?? '', at)
  checkBindings(draft.content.bindings, {
    store: cloud.store,
    accountId: account.id,
    scriptName: name,
    ownNamespaces: namespaces,
    hasAssets: draft.content.assets !== null,
  })
  const content = await inspectDraft(cloud, account, name, draft, { script, namespaces })
  const made = { content, change: draft.change, isDeployed, trigger, at }
  const published = await commitVersion(cloud, account, name, made)
  if (draft.change.deleted.length > 0)
    await cloud.apps.deleteObjectData(published.script, draft.change.deleted)
  return published
}

/**
 * Starts the new version with the other workers of its group. Returns the version's content, including its handlers, which are known only
 * once the code runs.
 */
async function inspectDraft(
  cloud: ScriptsCloud,
  account: Account,
  name: string,
  draft: VersionDraft,
  now: { script: Script | null; namespaces: Namespace[] },
): Promise<VersionContent> {
  const { annotations: _why, source: _who, observability: _logs, ...code } = draft.content
  const etag = createHash('sha256').update(JSON.stringify(code)).digest('hex')
  const content: VersionContent = {
    ...draft.content,
    etag,
    handlers: [],
    namedHandlers: [],
    startupTimeMs: 0,
  }
  const script = now.script ?? draftScript(account, name, cloud.now())
  const candidate = { script, version: null, content, namespaces: now.namespaces }
  const plan = withWorker(neighboursOf(cloud, account, name, content.bindings, now.script), candidate)
  const found = await cloud.apps.validate(plan, candidate)
  if (content.mainModule !== null && found.handlers.length === 0 && found.namedHandlers.length === 0) {
    throw new ApiFailure(400, 10068, 'The uploaded script has no registered event handlers.')
  }
  checkQueueHandler(cloud.store, now.script, found.handlers)
  for (const { className } of now.namespaces) {
    if (!found.namedHandlers.some((named) => named.name === className)) {
      throw new ApiFailure(
        400,
        10021,
        `The script does not export class '${className}', which its Durable Objects need.`,
      )
    }
  }
  return { ...content, ...found }
}

/** Returns all workers that will run in one process with the new version. */
function neighboursOf(
  cloud: ScriptsCloud,
  account: Account,
  name: string,
  bindings: Binding[],
  script: Script | null,
): GroupPlan {
  const reached = findReachableMembers(cloud.store, account.id, name, bindings)
  const plan: GroupPlan = {
    groupId: '',
    accountId: account.id,
    workers: [],
    resources: [],
    workflows: [],
    listening: [],
  }
  const found = [...reached.scripts, ...reached.resources]
  for (const groupId of new Set([...found.map((one) => one.groupId), script?.groupId])) {
    if (groupId === undefined) continue
    const group = readGroupPlan(cloud.store, groupId, account.id)
    plan.workers.push(...group.workers)
    plan.resources.push(...group.resources)
    plan.workflows.push(...group.workflows)
  }
  return plan
}

function draftScript(account: Account, name: string, at: number): Script {
  return {
    id: '',
    accountId: account.id,
    groupId: '',
    name,
    createdAt: at,
    modifiedAt: at,
    isOnSubdomain: false,
    hasPreviews: false,
    migrationTag: null,
    settings: {},
  }
}

async function commitVersion(
  cloud: ScriptsCloud,
  account: Account,
  name: string,
  made: {
    content: VersionContent
    change: NamespaceChange
    isDeployed: boolean
    trigger: Trigger
    at: number
  },
): Promise<PublishedScript> {
  const { store } = cloud
  const { content, change, at } = made
  const before = scripts.findScript(store, account.id, name)
  const activeBefore = before === null ? null : scripts.readActiveVersion(store, before.id)
  const placed = { accountId: account.id, name, bindings: content.bindings }
  const reached = findReachableMembers(store, account.id, name, content.bindings).resources
  const published = await commitWithPlacement(cloud, placed, (groupId) => {
    if (before === null && scripts.listScripts(store, account.id).length >= WORKERS_MAX[account.plan]) {
      throw new ApiFailure(403, 10037, `You have exceeded the limit of ${WORKERS_MAX[account.plan]} Workers.`)
    }
    const grown = change.created.length - change.deleted.length
    if (grown > 0 && scripts.countNamespaces(store, account.id) + grown > OBJECT_CLASSES_MAX[account.plan]) {
      const most = OBJECT_CLASSES_MAX[account.plan]
      throw new ApiFailure(403, 10065, `You have exceeded the limit of ${most} Durable Object classes.`)
    }
    // Read the script again, because its settings may have changed during the validation.
    const script =
      scripts.findScript(store, account.id, name) ??
      scripts.insertScript(store, { accountId: account.id, groupId, name, at })
    for (const id of change.deleted) scripts.deleteNamespace(store, id)
    scripts.renameNamespaces(store, change.renamed)
    for (const item of change.created)
      scripts.insertNamespace(store, { scriptId: script.id, createdAt: at, ...item })
    const next = { ...script, groupId, modifiedAt: at, migrationTag: change.tag }
    scripts.updateScript(store, next)
    const version = scripts.insertVersion(store, script.id, { ...content, migrationTag: change.tag }, at)
    const deployment = made.isDeployed
      ? scripts.insertDeployment(store, {
          scriptId: script.id,
          versionId: version.id,
          source: content.source,
          annotations: { ...content.annotations, 'workers/triggered_by': made.trigger },
          at,
        })
      : null
    return { script: next, version, deployment }
  })
  const { groupId } = published.script
  const isMoved = before?.groupId !== groupId || reached.some((resource) => resource.groupId !== groupId)
  if (isMoved || (made.isDeployed && !isSameCode(activeBefore, published.version, change))) {
    cloud.apps.applyGroupChange(account.id, groupId)
  }
  return published
}

/**
 * Returns true when a deployment changes neither code nor Durable Object classes. Such a deployment does not restart the process, so
 * WebSockets stay open. Returns false when the worker reads its version metadata, which changes with every version.
 */
function isSameCode(before: Version | null, after: Version, change: NamespaceChange): boolean {
  const changesNamespaces = change.created.length + change.renamed.length + change.deleted.length > 0
  const showsVersion = after.content.bindings.some((binding) => binding.type === 'version_metadata')
  return before?.content.etag === after.content.etag && !changesNamespaces && !showsVersion
}

/** Deploys a version that exists already: a promotion or a rollback. */
export function deployVersion(
  cloud: ScriptsCloud,
  account: Account,
  name: string,
  input: { versionId: string; source: string; annotations: Record<string, string> },
): Promise<Deployment> {
  return withWorkerLock(account, name, () =>
    withProjectLock(account, name, async () => {
      const script = scripts.findScript(cloud.store, account.id, name)
      if (script === null) throw noSuchScript()
      const version = scripts.findVersion(cloud.store, script.id, input.versionId)
      if (version === null) throw new ApiFailure(404, 10211, `Version ${input.versionId} could not be found.`)
      const newest = scripts.listVersions(cloud.store, script.id, DEPLOYABLE_VERSIONS)
      if (!newest.some((other) => other.id === version.id)) {
        throw new ApiFailure(400, 10214, `Only the ${DEPLOYABLE_VERSIONS} newest versions can be deployed.`)
      }
      if (version.content.migrationTag !== script.migrationTag) {
        throw new ApiFailure(
          400,
          10220,
          'A version from before a Durable Object migration cannot be deployed.',
        )
      }
      const namespaces = scripts.listNamespaces(cloud.store, script.id)
      const { bindings } = version.content
      // Check again, because a target of a binding may have been deleted since the upload.
      checkBindings(bindings, {
        store: cloud.store,
        accountId: account.id,
        scriptName: name,
        ownNamespaces: namespaces,
        hasAssets: version.content.assets !== null,
      })
      const candidate = { script, version, content: version.content, namespaces }
      const plan = withWorker(neighboursOf(cloud, account, name, bindings, script), candidate)
      await cloud.apps.validate(plan, candidate)
      const at = cloud.now()
      const deployment = await commitWithPlacement(
        cloud,
        { accountId: account.id, name, bindings },
        (groupId) => {
          const now = scripts.findScript(cloud.store, account.id, name) ?? script
          scripts.updateScript(cloud.store, { ...now, groupId, modifiedAt: at })
          const { source, versionId } = input
          const trigger: Trigger = version.id === newest[0]?.id ? 'promotion' : 'rollback'
          const annotations = { ...input.annotations, 'workers/triggered_by': trigger }
          return scripts.insertDeployment(cloud.store, {
            scriptId: script.id,
            versionId,
            source,
            annotations,
            at,
          })
        },
      )
      cloud.apps.applyGroupChange(
        account.id,
        scripts.findScript(cloud.store, account.id, name)?.groupId ?? script.groupId,
      )
      return deployment
    }),
  )
}
