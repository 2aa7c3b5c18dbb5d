import type { CapabilitySample } from '../../testing/apps/capability-sample.ts'

export const sampleUse: CapabilitySample = {
  manifest: { meters: [{ key: 'letters', per: 'user', window: 'day', limit: 1 }] },
  refusal: `const { remaining } = await meter.require('letters', person.id)`,
  answer: 'remaining',
}
