import type { CapabilitySample } from '../../testing/capability-sample.ts'

export const sample: CapabilitySample = {
  manifest: { ai: [{ task: 'summarize', system: 'Summarize the letter.', access: 'members' }] },
  code: `await ai.run('Is this letter polite?')`,
}
