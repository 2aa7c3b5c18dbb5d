import type { CapabilitySample } from '../../testing/apps/capability-sample.ts'

export const sampleUse: CapabilitySample = { code: `await team.as(c.req.raw).list()` }
