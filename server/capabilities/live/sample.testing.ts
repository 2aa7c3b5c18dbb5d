import type { CapabilitySample } from '../../testing/apps/capability-sample.ts'

export const sampleUse: CapabilitySample = {
  manifest: { rooms: [{ room: 'desk', access: 'members' }] },
  code: `await live.broadcast('desk', 'main', 'letter', { to: person.name })`,
}
