import { emptyBuckets } from './capabilities/operator/empty-bucket.ts'
import { makeGateway } from './capabilities/ai/gateway.ts'
import { ensureUploads } from './attachments/provision-uploads.ts'
import { makeCalls } from './capabilities/call/realtime.ts'
import { capabilityHooks } from './capabilities/hooks.ts'
import { dropEndpoint, inspectEndpoint, makeEndpoint } from './capabilities/pay/endpoints.ts'
import { makeWidget } from './capabilities/guard/widget.ts'
import { makeWorkflow } from './capabilities/flow/workflow.ts'
import { makeQueue } from './capabilities/queue/consumers.ts'
import { attach } from './domain/attach.ts'
import { resumeRebinds } from './capabilities/switch/resume-rebinds.ts'
import { extraScopes } from './capabilities/switch/scopes.ts'
import { provideConnectionHooks } from './connections/hooks.ts'
import { releaseHooks } from './releases/hooks.ts'
import { republish } from './releases/publish.ts'
import { ensureAdmin } from './releases/workers/admin.ts'
import { ensureLive } from './releases/workers/live.ts'
import { type EndpointHooks, type Makers, provideHooks } from './resources/hooks.ts'

const DOMAIN_WAIT_MS = 10_000

const resourceMakers: Makers = {
  app: republish,
  live: async (work, enabled) => ensureLive(work, enabled ?? (await capabilityHooks.usable(work))),
  admin: (work, enabled) => ensureAdmin(work, enabled ?? capabilityHooks.usable(work)),
  uploads: async ({ platform, project, actor }) => {
    await ensureUploads(platform, project, actor)
  },
  queue: makeQueue,
  widget: makeWidget,
  calls: makeCalls,
  aiGateway: makeGateway,
  workflow: makeWorkflow,
  domain: ({ platform, cloud, project }) => attach(platform, cloud, project, DOMAIN_WAIT_MS),
}

const endpointHooks: EndpointHooks = { find: inspectEndpoint, make: makeEndpoint, remove: dropEndpoint }

/** Passes functions of higher layers to the layers below them, which must not import them. Called once at start-up. */
export function connectHooks(): void {
  provideConnectionHooks({ extraScopes, resumeRebinds })
  provideHooks({
    makers: resourceMakers,
    endpoints: endpointHooks,
    emptyBuckets,
    capabilities: capabilityHooks,
    releases: releaseHooks,
  })
}
