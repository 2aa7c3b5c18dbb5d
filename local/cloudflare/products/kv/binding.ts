import { findResource } from '../../store/resources.ts'
import { type BindingKind, refuseUpload, textField } from '../binding.ts'

/** A KV binding names its namespace by id, as at the provider. */
export const kvBinding: BindingKind = {
  types: ['kv_namespace'],
  check: (binding, { store, accountId }) => {
    const id = textField(binding, 'namespace_id')
    if (id !== null && findResource(store, accountId, 'kv', { id }) !== null) return
    throw refuseUpload(`KV namespace '${String(id)}' not found.`, 10041)
  },
  joins: (binding) => [{ kind: 'kv', by: { id: String(binding['namespace_id']) } }],
  env: (binding, _worker, { resources }) => {
    const namespace = resources.find(({ kind, id }) => kind === 'kv' && id === binding['namespace_id'])
    return namespace === undefined ? null : { type: 'kv', id: namespace.id }
  },
}
