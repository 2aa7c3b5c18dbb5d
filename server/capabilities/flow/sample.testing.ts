import type { CapabilitySample } from '../../testing/capability-sample.ts'

export const sampleUse: CapabilitySample = {
  manifest: { flows: [{ name: 'answer', handler: 'answer' }] },
  code: `await flow.start('answer', { to: person.name })`,
}
