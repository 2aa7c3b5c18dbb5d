import { findResource } from '../../store/resources.ts'
import type { Binding } from '../../types.ts'
import { type BindingKind, refuseUpload, textField } from '../binding.ts'

/** A D1 binding names its database by id, so a database that is created again under the same name is not bound. */
export const d1Binding: BindingKind = {
  types: ['d1'],
  check: (binding, { store, accountId }) => {
    const id = databaseId(binding)
    if (id === null)
      throw refuseUpload(`binding ${binding.name} of type d1 must have a valid \`id\` specified`)
    if (findResource(store, accountId, 'd1', { id }) !== null) return
    throw refuseUpload(`D1 binding '${binding.name}' references database '${id}' which was not found.`, 10181)
  },
  joins: (binding) => [{ kind: 'd1', by: { id: databaseId(binding) ?? '' } }],
  env: (binding, _worker, { resources }) => {
    const database = resources.find(({ kind, id }) => kind === 'd1' && id === databaseId(binding))
    return database === undefined ? null : { type: 'd1', id: database.id }
  },
}

/** Returns the id of the database. The SDK uses both field names. */
function databaseId(binding: Binding): string | null {
  return textField(binding, 'id') ?? textField(binding, 'database_id')
}
