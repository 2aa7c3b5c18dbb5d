import { SHIMS_WORKER } from '../../runtime/shims/shim.ts'
import { type BindingKind, refuseUpload, textField } from '../binding.ts'

const DATASET = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/

export const analyticsEngine: BindingKind = {
  types: ['analytics_engine'],
  usesShims: true,
  check: (binding) => {
    const dataset = textField(binding, 'dataset')
    if (dataset === null || !DATASET.test(dataset))
      throw refuseUpload(`Binding ${binding.name}: '${String(dataset)}' is not a valid dataset name.`)
  },
  env: (binding, { script }) => ({
    type: 'worker',
    worker: SHIMS_WORKER,
    exportName: 'AnalyticsEngine',
    props: { accountId: script.accountId, dataset: String(binding['dataset']) },
  }),
}
