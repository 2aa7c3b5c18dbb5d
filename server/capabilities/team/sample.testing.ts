import type { CapabilitySample } from '../../testing/capability-sample.ts'

export const sample: CapabilitySample = { code: `await team.as(c.req.raw).list()` }
