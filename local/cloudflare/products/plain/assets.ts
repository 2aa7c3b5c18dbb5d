import { type BindingKind, refuseUpload } from '../binding.ts'

export const assets: BindingKind = {
  types: ['assets'],
  check: (binding, { hasAssets }) => {
    if (!hasAssets) throw refuseUpload(`Binding ${binding.name} needs assets, and this upload has none.`)
  },
  env: () => ({ type: 'assets' }),
}
