import type { CapabilitySample } from '../../testing/apps/capability-sample.ts'

export const sampleUse: CapabilitySample = {
  manifest: { ai: [{ task: 'summarize', system: 'Summarize the letter.', access: 'members' }] },
  code: `await ai.run('Is this letter polite?')`,
}
