import type { BindingKind } from './shape.ts'

export const secretText: BindingKind = {
  types: ['secret_text'],
  isSecret: true,
  // Miniflare's own type `secret` declares a secret and carries no value.
  env: (binding) => ({ type: 'text', value: String(binding['text'] ?? '') }),
  shown: ({ type, name }) => ({ type, name }),
}
