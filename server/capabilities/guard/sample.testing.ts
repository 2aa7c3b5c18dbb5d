import type { CapabilitySample } from '../../testing/capability-sample.ts'

export const sampleUse: CapabilitySample = { refusal: `await guard.limit('letters', c.req.raw)` }
