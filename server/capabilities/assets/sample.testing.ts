import type { CapabilitySample } from '../../testing/capability-sample.ts'

export const sample: CapabilitySample = { answer: `logo: assets.url('logo.svg')` }
