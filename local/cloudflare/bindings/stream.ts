import { SHIMS_WORKER } from '../shims/shim.ts'
import type { BindingKind } from './shape.ts'

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
