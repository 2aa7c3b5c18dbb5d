import type { CapabilitySample } from '../../testing/capability-sample.ts'

export const sampleUse: CapabilitySample = {
  manifest: { events: [{ name: 'written' }] },
  code: `events.track('written', { req: c.req.raw })`,
}
