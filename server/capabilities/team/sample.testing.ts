import type { CapabilitySample } from '../../testing/capability-sample.ts'

export const sampleUse: CapabilitySample = { code: `await team.as(c.req.raw).list()` }
