import type { BindingKind } from './shape.ts'

export const images: BindingKind = {
  types: ['images'],
  env: () => ({ type: 'images' }),
}
