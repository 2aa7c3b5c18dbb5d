import type { CapabilitySample } from '../../testing/apps/capability-sample.ts'

export const sampleUse: CapabilitySample = {
  code: `const file = await files.put('a letter', { name: 'a.txt', type: 'text/plain', owner: person.id })`,
  answer: 'size: file.size',
}
