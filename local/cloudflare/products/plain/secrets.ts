import { type BindingKind, refuseUpload, textField } from '../binding.ts'

export const secretText: BindingKind = {
  types: ['secret_text'],
  isSecret: true,
  // Miniflare's own type `secret` declares a secret and carries no value.
  env: (binding) => ({ type: 'text', value: String(binding['text'] ?? '') }),
  shown: ({ type, name }) => ({ type, name }),
}

/** A key an app imports; the runtime here has no such binding, so it gets the text and imports that. */
export const secretKey: BindingKind = {
  types: ['secret_key'],
  isSecret: true,
  check: (binding) => {
    if (textField(binding, 'key_base64') === null && binding['format'] !== 'jwk')
      throw refuseUpload(`Binding ${binding.name} holds no key_base64.`)
  },
  env: (binding) => ({
    type: 'text',
    value: textField(binding, 'key_base64') ?? JSON.stringify(binding['key_jwk']),
  }),
  shown: ({ key_base64: _bytes, key_jwk: _key, ...rest }) => rest,
}
