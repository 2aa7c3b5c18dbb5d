import { ensureUploads } from '../attachments/provision-uploads.ts'
import { makeGateway } from '../capabilities/ai/gateway.ts'
import { makeCalls } from '../capabilities/call/realtime.ts'
import { makeWorkflow } from '../capabilities/flow/workflow.ts'
import { syncWidgetHosts, makeWidget } from '../capabilities/guard/widget.ts'
import { emptyBuckets } from '../capabilities/operator/empty-bucket.ts'
import { makeEndpoint } from '../capabilities/pay/endpoints.ts'
import { makeQueue } from '../capabilities/queue/consumers.ts'
import { usableCapabilities } from '../capabilities/switch/products.ts'
import { provisionPending } from '../capabilities/switch/provision.ts'
import { rebindWhenDue } from '../capabilities/switch/rebind-due.ts'
import { attach } from '../domain/attach.ts'
import type { Ports } from '../platform.ts'
import { republishTier } from '../releases/publish.ts'
import { rebindApps } from '../releases/rebind.ts'
import { connectServing } from '../releases/wire.ts'
import { ensureAdmin } from '../releases/workers/admin.ts'
import { ensureLive } from '../releases/workers/live.ts'

const DOMAIN_WAIT_MS = 10_000

/** Functions of higher layers that lower layers call as ports, because they must not import them (docs/architecture.md). */
export const UPWARD_PORTS: Pick<Ports, 'makers' | 'capabilities' | 'widgets' | 'buckets' | 'releases'> = {
  makers: {
    app: republishTier,
    live: async (work, enabled) => ensureLive(work, enabled ?? (await usableCapabilities(work))),
    admin: (work, enabled) => ensureAdmin(work, enabled ?? usableCapabilities(work)),
    uploads: async ({ platform, project, actor }) => {
      await ensureUploads(platform, project, actor)
    },
    queue: makeQueue,
    widget: makeWidget,
    calls: makeCalls,
    aiGateway: makeGateway,
    workflow: makeWorkflow,
    webhookEndpoint: makeEndpoint,
    domain: ({ platform, cloud, project }) => attach(platform, cloud, project, DOMAIN_WAIT_MS),
  },
  capabilities: { provision: provisionPending, rebindWhenDue },
  widgets: { syncWidgetHosts },
  buckets: { empty: emptyBuckets },
  releases: { rebind: rebindApps, connectTriggers: connectServing },
}
