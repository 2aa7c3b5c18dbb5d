import type { CapabilitySample } from '../../testing/capability-sample.ts'

export const sample: CapabilitySample = { code: `await guard.limit('letters', c.req.raw)` }
