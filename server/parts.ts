import { emptyBuckets } from './capabilities/operator/empty-bucket.ts'
import { makeGateway } from './capabilities/ai/gateway.ts'
import { ensureUploads } from './attachments/provision-uploads.ts'
import { makeCalls } from './capabilities/call/realtime.ts'
import { capabilityPart } from './capabilities/part.ts'
import { dropEndpoint, inspectEndpoint, makeEndpoint } from './capabilities/pay/endpoints.ts'
import { makeWidget } from './capabilities/guard/widget.ts'
import { makeWorkflow } from './capabilities/flow/workflow.ts'
import { makeQueue } from './capabilities/queue/consumers.ts'
import { attach } from './domain/attach.ts'
import { resumeRebinds } from './capabilities/switch/resume-rebinds.ts'
import { extraScopes } from './capabilities/switch/scopes.ts'
import { provideConnectionPart } from './connections/part.ts'
import { releasePart } from './releases/part.ts'
import { republish } from './releases/publish.ts'
import { ensureAdmin } from './releases/workers/admin.ts'
import { ensureLive } from './releases/workers/live.ts'
import { type EndpointPart, type Makers, provideParts } from './resources/parts.ts'

const DOMAIN_WAIT_MS = 10_000

const makers: Makers = {
  app: republish,
  live: async (work, enabled) => ensureLive(work, enabled ?? (await capabilityPart.usable(work))),
  admin: (work, enabled) => ensureAdmin(work, enabled ?? capabilityPart.usable(work)),
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

const endpoints: EndpointPart = { find: inspectEndpoint, make: makeEndpoint, remove: dropEndpoint }

/** Passes functions of higher layers to the layers below; called once at start-up. */
export function connectParts(): void {
  provideConnectionPart({ extraScopes, resumeRebinds })
  provideParts({ makers, endpoints, emptyBuckets, capabilities: capabilityPart, releases: releasePart })
}
