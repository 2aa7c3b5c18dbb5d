import type { CapabilitySample } from '../../testing/capability-sample.ts'

export const sample: CapabilitySample = {
  manifest: { events: [{ name: 'written' }] },
  code: `events.track('written', { req: c.req.raw })`,
}
