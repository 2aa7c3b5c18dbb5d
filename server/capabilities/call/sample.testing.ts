import type { CapabilitySample } from '../../testing/capability-sample.ts'

export const sampleUse: CapabilitySample = { operator: { settings: { mode: 'mesh' } } }
