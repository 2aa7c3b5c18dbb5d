import type { BindingKind } from '../binding.ts'

export const plainText: BindingKind = {
  types: ['plain_text'],
  env: (binding) => ({ type: 'text', value: String(binding['text'] ?? '') }),
}

export const json: BindingKind = {
  types: ['json'],
  env: (binding) => ({ type: 'json', value: binding['json'] as never }),
}
