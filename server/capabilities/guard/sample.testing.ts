import type { CapabilitySample } from '../../testing/apps/capability-sample.ts'

export const sampleUse: CapabilitySample = { refusal: `await guard.limit('letters', c.req.raw)` }
