import type { CapabilitySample } from '../../testing/apps/capability-sample.ts'

export const sampleUse: CapabilitySample = { answer: `logo: assets.url('logo.svg')` }
