import type { CapabilitySample } from '../../testing/capability-sample.ts'

export const sampleUse: CapabilitySample = { answer: `logo: assets.url('logo.svg')` }
