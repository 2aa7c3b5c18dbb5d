import type { CapabilitySample } from '../../testing/apps/capability-sample.ts'

export const sampleUse: CapabilitySample = { code: `await video.as(c.req.raw).list()` }
