import type { CapabilitySample } from '../../testing/apps/capability-sample.ts'

export const sampleUse: CapabilitySample = {
  manifest: { mailboxes: [{ collection: 'letters' }] },
  code: `await email.send({ to: person.email, subject: 'Your letter', text: 'It is written.' })`,
}
