import type { CapabilitySample } from '../../testing/capability-sample.ts'

export const sample: CapabilitySample = { operator: { settings: { mode: 'mesh' } } }
