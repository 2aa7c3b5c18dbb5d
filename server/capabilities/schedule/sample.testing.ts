import type { CapabilitySample } from '../../testing/apps/capability-sample.ts'

export const sampleUse: CapabilitySample = {
  manifest: { schedules: [{ name: 'nightly', cron: '0 3 * * *', handler: 'write' }] },
  code: `await timers.set(new Date(Date.now() + 500), 'write', { to: 'themselves' }, { userId: person.id })`,
  imports: ['timers'],
}
