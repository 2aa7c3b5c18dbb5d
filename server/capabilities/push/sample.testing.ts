import type { CapabilitySample } from '../../testing/apps/capability-sample.ts'

export const sampleUse: CapabilitySample = {
  code: `await push.send({ userId: person.id }, { title: 'Your letter', body: 'It is written.', url: '/' })`,
}
