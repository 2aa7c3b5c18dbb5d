import type { CapabilitySample } from '../../testing/apps/capability-sample.ts'

export const sampleUse: CapabilitySample = {
  manifest: { events: [{ name: 'written' }] },
  code: `events.track('written', { req: c.req.raw })`,
}
