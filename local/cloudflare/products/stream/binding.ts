import { SHIMS_WORKER } from '../../runtime/shims/shim.ts'
import type { BindingKind } from '../binding.ts'

export const stream: BindingKind = {
  types: ['stream'],
  usesShims: true,
  env: (_binding, { script }) => ({
    type: 'worker',
    worker: SHIMS_WORKER,
    exportName: 'Stream',
    props: { accountId: script.accountId },
  }),
}
