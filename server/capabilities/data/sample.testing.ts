import type { CapabilitySample } from '../../testing/apps/capability-sample.ts'

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
