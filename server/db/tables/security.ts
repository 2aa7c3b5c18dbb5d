import type { Generated } from 'kysely'

export interface SecurityTables {
  passkey: PasskeyTable
  security_policies: SecurityPoliciesTable
  ssoProvider: SsoProviderTable
  sso_domains: SsoDomainsTable
  twoFactor: TwoFactorTable
}

export interface PasskeyTable {
  id: string
  name: string | null
  publicKey: string
  userId: string
  credentialID: string
  counter: number
  deviceType: string
  backedUp: boolean
  transports: string | null
  createdAt: Date | null
  aaguid: string | null
}

export interface SecurityPoliciesTable {
  org_id: string
  require_sso: boolean
  require_two_factor: boolean
  session_lifetime_days: number | null
  allowed_ips: string[]
  any_packages: Generated<boolean>
  updated_at: Date
  created_at: Date
}

export interface SsoDomainsTable {
  org_id: string
  domain: string
  verified_at: Date | null
}

export interface SsoProviderTable {
  id: string
  issuer: string
  oidcConfig: string | null
  samlConfig: string | null
  userId: string | null
  providerId: string
  organizationId: string
  domain: string
  domainVerified: boolean
  /**
   * A column that the service adds to the auth library's table: the random part of the DNS TXT record with which an
   * organization proves that it owns a domain.
   */
  verificationToken: string
  createdAt: Date
}

export interface TwoFactorTable {
  id: string
  secret: string
  backupCodes: string
  userId: string
  verified: boolean | null
  failedVerificationCount: number | null
  lockedUntil: Date | null
  /**
   * A column that the service adds to the auth library's table: the time step of the newest one-time code with which a
   * session was opened. Codes of this and earlier steps are refused.
   */
  lastUsedStep: number | null
}
