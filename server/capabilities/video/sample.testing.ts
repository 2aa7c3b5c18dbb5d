import type { CapabilitySample } from '../../testing/capability-sample.ts'

export const sample: CapabilitySample = { code: `await video.as(c.req.raw).list()` }
