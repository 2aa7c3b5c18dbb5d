import type { CapabilitySample } from '../../testing/capability-sample.ts'

export const sample: CapabilitySample = {
  manifest: { providers: [{ id: 'github' }] },
  code: `await connect.status(person.id, 'github')`,
}
