import type { CapabilitySample } from '../../testing/apps/capability-sample.ts'

export const HOOK_TOKEN = 'a token of the post office'

export const sampleUse: CapabilitySample = {
  manifest: { hooks: [{ name: 'post', scheme: 'token', collection: 'letters' }] },
  operator: { settings: { endpoints: { post: {} } }, secrets: { postSecret: HOOK_TOKEN } },
}
