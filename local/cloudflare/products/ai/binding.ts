import { SHIMS_WORKER } from '../../runtime/shims/shim.ts'
import type { BindingKind } from '../binding.ts'

export const ai: BindingKind = {
  types: ['ai'],
  usesShims: true,
  env: (_binding, { script }) => ({
    type: 'worker',
    worker: SHIMS_WORKER,
    exportName: 'Ai',
    props: { accountId: script.accountId },
  }),
}
