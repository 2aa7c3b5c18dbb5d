import { SHIMS_WORKER } from '../../runtime/shims/shim.ts'
import type { BindingKind } from '../binding.ts'

export const browser: BindingKind = {
  types: ['browser'],
  usesShims: true,
  env: (_binding, { script }) => ({
    type: 'worker',
    worker: SHIMS_WORKER,
    exportName: 'Browser',
    props: { accountId: script.accountId },
  }),
}
