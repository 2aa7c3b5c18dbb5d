import type { CapabilitySample } from '../../testing/apps/capability-sample.ts'

export const sampleUse: CapabilitySample = {
  code: `await pay.as(c.req.raw).entitlements()`,
  operator: { secrets: { stripeTestKey: 'sk_test_local_everything' } },
}
