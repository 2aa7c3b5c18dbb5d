import type { CapabilitySample } from '../../testing/apps/capability-sample.ts'

export const sampleUse: CapabilitySample = {
  manifest: { flows: [{ name: 'answer', handler: 'answer' }] },
  code: `await flow.start('answer', { to: person.name })`,
}
