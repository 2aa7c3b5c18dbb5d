import type { Generated } from 'kysely'

export interface AuthTables {
  account: AccountTable
  invitation: InvitationTable
  member: MemberTable
  organization: OrganizationTable
  session: SessionTable
  user: UserTable
  verification: VerificationTable
}

export interface AccountTable {
  id: string
  accountId: string
  providerId: string
  userId: string
  accessToken: string | null
  refreshToken: string | null
  idToken: string | null
  accessTokenExpiresAt: Date | null
  refreshTokenExpiresAt: Date | null
  scope: string | null
  password: string | null
  createdAt: Generated<Date>
  updatedAt: Date
}

export interface InvitationTable {
  id: string
  organizationId: string
  email: string
  role: string | null
  status: string
  expiresAt: Date
  createdAt: Generated<Date>
  inviterId: string
}

export interface MemberTable {
  id: string
  organizationId: string
  userId: string
  role: string
  createdAt: Date
}

export interface OrganizationTable {
  id: string
  name: string
  slug: string
  logo: string | null
  createdAt: Date
  metadata: string | null
}

export interface SessionTable {
  id: string
  expiresAt: Date
  token: string
  createdAt: Generated<Date>
  updatedAt: Date
  ipAddress: string | null
  userAgent: string | null
  userId: string
  activeOrganizationId: string | null
  authMethod: string | null
  ssoProviderId: string | null
}

export interface UserTable {
  id: string
  name: string
  email: string
  emailVerified: boolean
  image: string | null
  createdAt: Generated<Date>
  updatedAt: Generated<Date>
  twoFactorEnabled: Generated<boolean | null>
}

export interface VerificationTable {
  id: string
  identifier: string
  value: string
  expiresAt: Date
  createdAt: Generated<Date>
  updatedAt: Generated<Date>
}
