import type { CapabilitySample } from '../../testing/capability-sample.ts'

export const sampleUse: CapabilitySample = {
  manifest: {
    collections: {
      letters: {
        partition: 'app',
        read: 'members',
        write: 'nobody',
        fields: { text: { type: 'text' }, attempt: { type: 'integer' } },
      },
    },
  },
}
