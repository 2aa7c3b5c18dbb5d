import type { Trx } from '../db/database.ts'
import { isUploadsName } from '../resources/names.ts'
import type { CapabilityHooks } from '../resources/hooks.ts'
import { readGate } from './access/code.ts'
import { readLiveAi } from './ai/gateway.ts'
import { joinReason } from './capability.ts'
import { callersAmong, capabilitiesOf, capabilityBindings } from './catalog.ts'
import { readLiveCalls } from './call/live.ts'
import { readLiveMail } from './email/live.ts'
import { connectFlows, findUnrun, pauseFlows } from './flow/workflow.ts'
import { readLiveGuard } from './guard/live.ts'
import { followHosts } from './guard/widget.ts'
import { activateApp, pingObjects } from './operator/activate.ts'
import { pointEndpoints } from './pay/endpoints.ts'
import { connectQueue, findDisconnected, pauseQueue } from './queue/consumers.ts'
import { pauseSchedules } from './schedule/pause.ts'
import { readCallers } from './switch/callers.ts'
import { listStates } from './switch/capabilities.ts'
import { enabledCapabilities } from './switch/enabled.ts'
import { readLiveSecrets } from './switch/live-secrets.ts'
import { listMissing } from './switch/missing.ts'
import { usableCapabilities } from './switch/products.ts'
import { provisionPending } from './switch/provision.ts'
import { rebindWhenDue } from './switch/rebind-due.ts'
import { readLiveVariables, readUploadVariables } from './switch/variables.ts'

/** The functions of this folder that resources and releases call. They are passed in, because imports lead down only. */
export const capabilityHooks: CapabilityHooks = {
  enabled: enabledCapabilities,
  usable: usableCapabilities,
  states: listStates,
  needs: (keys, project) =>
    capabilitiesOf(new Set(keys)).map(({ key, resources }) => ({ key, resources: resources(project) })),
  bindings: capabilityBindings,
  gate: (platform, project) => readGate(platform, platform.db, project),
  adminBindings: (keys, project) => capabilitiesOf(keys).flatMap((one) => one.operatorBindings(project)),
  liveVariables: readLiveVariables,
  liveInAccount: async (db, project, of) => {
    const all = await Promise.all(
      [readLiveMail, readLiveGuard, readLiveAi, readLiveCalls].map((read) => read(db, project, of)),
    )
    return {
      variables: Object.assign({}, ...all.map(({ variables }) => variables)),
      bindings: [
        ...all.flatMap(({ bindings }) => bindings),
        ...capabilitiesOf(of.enabled).flatMap(({ liveBindings }) => liveBindings),
      ],
    }
  },
  followHosts,
  liveSecrets: readLiveSecrets,
  uploadVariables: readUploadVariables,
  provision: provisionPending,
  rebindWhenDue,
  recordMissing: async (trx, project, gone) => {
    const enabled = await enabledCapabilities(trx, project.id)
    // A renamed project keeps the bucket name of its uploads, so take that name from the removed resources.
    const uploads = gone.find(({ name }) => isUploadsName(name))?.name
    for (const { key, resources } of capabilitiesOf(enabled)) {
      const lost = resources({ ...project, uploads }).find((one) =>
        gone.some((row) => row.kind === one.kind && row.name === one.name),
      )
      if (lost === undefined) continue
      const message = `The ${lost.kind.replace('_', ' ')} ${lost.name} was removed. Reconcile the project to make it again, empty.`
      const error = joinReason({ code: 'resource_missing', message })
      await trx
        .updateTable('capabilities')
        .set({ state: 'error', error })
        .where('project_id', '=', project.id)
        .where('key', '=', key)
        .execute()
    }
  },
  clearErrors,
  connect: async (work, tier, { app, bound }) => {
    if (bound.has('queue')) await connectQueue(work, tier, app)
    if (bound.has('flow')) await connectFlows(work, tier)
  },
  takePayments: (work, tier) => pointEndpoints(work, { serving: tier }),
  disconnect: async (work, tier, keys) => {
    if (keys.has('queue')) await pauseQueue(work, tier)
    if (keys.has('flow')) await pauseFlows(work, tier)
  },
  rest: async (work, tier, kept) => {
    if (!kept.has('queue')) await pauseQueue(work, tier)
    if (!kept.has('flow')) await pauseFlows(work, tier)
    if (!kept.has('pay')) await pointEndpoints(work, { resting: tier })
    // The schedules stop, and the admin worker lists them as paused.
    if (!kept.has('schedule')) await pauseSchedules(work, tier)
  },
  callersAmong,
  callers: readCallers,
  findDisconnected: (cloud, project, key) =>
    key === 'flow' ? findUnrun(cloud, project) : findDisconnected(cloud, project),
  listMissing,
  activate: activateApp,
  ping: pingObjects,
}

async function clearErrors(trx: Trx, projectId: string): Promise<void> {
  await trx
    .updateTable('capabilities')
    .set({ state: 'idle', error: null })
    .where('project_id', '=', projectId)
    .where('enabled', '=', true)
    .where('state', '=', 'error')
    .execute()
}
