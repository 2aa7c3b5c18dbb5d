import type { CollectionDeclaration } from './manifest-schema.ts'

type CollectionAccess = Required<Pick<CollectionDeclaration, 'read' | 'write'>>
type AccessWords = { [Kind in keyof CollectionAccess]: NonNullable<CollectionAccess[Kind]> }

/** The access of a collection whose `read` and `write` are missing in `app.json`, by its partition. */
const DEFAULT_ACCESS: Record<CollectionDeclaration['partition'], AccessWords> = {
  app: { read: 'members', write: 'staff' },
  user: { read: 'owner', write: 'owner' },
  team: { read: 'team', write: 'team' },
}

/** Returns who may read and write the records of a collection. A missing declaration is replaced by the default of its partition. */
export const withDefaultAccess = ({ partition, read, write }: CollectionDeclaration): AccessWords => ({
  read: read ?? DEFAULT_ACCESS[partition].read,
  write: write ?? DEFAULT_ACCESS[partition].write,
})
