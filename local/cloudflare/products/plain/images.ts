import type { BindingKind } from '../binding.ts'

export const images: BindingKind = {
  types: ['images'],
  env: () => ({ type: 'images' }),
}
