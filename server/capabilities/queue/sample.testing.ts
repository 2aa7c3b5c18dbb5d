import type { CapabilitySample } from '../../testing/apps/capability-sample.ts'

export const sampleUse: CapabilitySample = {
  manifest: { queues: [{ name: 'letters', handler: 'write' }] },
  code: `await queue.send('letters', { to: person.name })`,
}
