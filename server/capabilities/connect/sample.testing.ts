import type { CapabilitySample } from '../../testing/apps/capability-sample.ts'

export const sampleUse: CapabilitySample = {
  manifest: { providers: [{ id: 'github' }] },
  code: `await connect.status(person.id, 'github')`,
}
