import { findResource } from '../../store/resources.ts'
import { type BindingKind, refuseUpload, textField } from '../binding.ts'

/** An R2 binding names its bucket by name, so a bucket that is created again under the same name is bound. */
export const r2Binding: BindingKind = {
  types: ['r2_bucket'],
  check: (binding, { store, accountId }) => {
    const name = textField(binding, 'bucket_name')
    if (name !== null && findResource(store, accountId, 'r2', { name }) !== null) return
    throw refuseUpload(
      `R2 bucket '${String(name)}' not found. Please use a different name and try again.`,
      10085,
    )
  },
  joins: (binding) => [{ kind: 'r2', by: { name: String(binding['bucket_name']) } }],
  env: (binding, _worker, { resources }) => {
    const bucket = resources.find(({ kind, name }) => kind === 'r2' && name === binding['bucket_name'])
    return bucket === undefined ? null : { type: 'r2', name: bucket.id }
  },
}
