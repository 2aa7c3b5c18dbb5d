import { ensureUploads } from './attachments/provision-uploads.ts'
import { makeGateway } from './capabilities/ai/gateway.ts'
import { makeCalls } from './capabilities/call/realtime.ts'
import { capabilityPort } from './capabilities/capability-port.ts'
import { makeWorkflow } from './capabilities/flow/workflow.ts'
import { makeWidget } from './capabilities/guard/widget.ts'
import { makeQueue } from './capabilities/queue/consumers.ts'
import { usableCapabilities } from './capabilities/switch/products.ts'
import { resumeRebinds } from './capabilities/switch/resume-rebinds.ts'
import { extraScopes } from './capabilities/switch/scopes.ts'
import { attach } from './domain/attach.ts'
import type { Ports } from './platform.ts'
import { republish } from './releases/publish.ts'
import { releasePort } from './releases/release-port.ts'
import { ensureAdmin } from './releases/workers/admin.ts'
import { ensureLive } from './releases/workers/live.ts'

const DOMAIN_WAIT_MS = 10_000

/** The ports through which a folder calls one above it, which it must not import. */
export const UPWARD_PORTS: Pick<Ports, 'accountUses' | 'makers' | 'capabilities' | 'releases'> = {
  accountUses: { extraScopes, resumeRebinds },
  makers: {
    app: republish,
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
    domain: ({ platform, cloud, project }) => attach(platform, cloud, project, DOMAIN_WAIT_MS),
  },
  capabilities: capabilityPort,
  releases: releasePort,
}
