import type { ExportedTable } from '../lib/exported.ts'
import { isoTime } from '../lib/sql-json.ts'

export const EXPORTED_ORGANIZATION: ExportedTable = {
  fields: { id: 'id', name: 'name', slug: 'slug', createdAt: isoTime('"createdAt"') },
  from: 'organization where id = $1',
}

/** The members in an export: who they are, but none of their credentials. */
export const EXPORTED_MEMBERS: ExportedTable = {
  fields: {
    id: 'm.id',
    userId: 'm."userId"',
    name: 'u.name',
    email: 'u.email',
    role: 'm.role',
    createdAt: isoTime('m."createdAt"'),
  },
  from: `member m join "user" u on u.id = m."userId" where m."organizationId" = $1 order by m."createdAt", m.id`,
}

export const EXPORTED_INVITATIONS: ExportedTable = {
  fields: {
    id: 'id',
    email: 'email',
    role: 'role',
    status: 'status',
    invitedBy: '"inviterId"',
    createdAt: isoTime('"createdAt"'),
    expiresAt: isoTime('"expiresAt"'),
  },
  from: 'invitation where "organizationId" = $1 order by "createdAt", id',
}
