import type { CapabilitySample } from '../../testing/capability-sample.ts'

export const sample: CapabilitySample = { manifest: { roles: ['writer'] } }
