import type { CapabilitySample } from '../../testing/capability-sample.ts'

export const sample: CapabilitySample = {
  manifest: { queues: [{ name: 'letters', handler: 'write' }] },
  code: `await queue.send('letters', { to: person.name })`,
}
