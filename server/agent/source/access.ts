import type { CollectionDeclaration } from './manifest-schema.ts'

type Access = Required<Pick<CollectionDeclaration, 'read' | 'write'>>
type AccessWords = { [Kind in keyof Access]: NonNullable<Access[Kind]> }

/** What `read` and `write` mean when `app.json` leaves them out: access is for those whose partition it is. */
const DEFAULTS: Record<CollectionDeclaration['partition'], AccessWords> = {
  app: { read: 'members', write: 'staff' },
  user: { read: 'owner', write: 'owner' },
  team: { read: 'team', write: 'team' },
}

/** Returns who may read and write the records of a collection; words that it leaves out come from its partition. */
export const accessOf = ({ partition, read, write }: CollectionDeclaration): AccessWords => ({
  read: read ?? DEFAULTS[partition].read,
  write: write ?? DEFAULTS[partition].write,
})
