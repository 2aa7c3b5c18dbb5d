import { generateId } from 'better-auth'
import { randomBytes } from 'node:crypto'
import { endSessionsOfProvider } from '../auth/people.ts'
import { sealConfig } from '../auth/sso/plugin.ts'
import { type Db, transact, type Trx } from '../db/database.ts'
import { lockOrganization } from '../db/locks.ts'
import type { CallerContext, Context } from '../endpoint.ts'
import { recordCallerChange } from '../activity/log.ts'
import { invalid } from '../http/errors.ts'
import type { Ports } from '../platform.ts'
import { dropSsoRequirement, refuseWithoutPlan } from '../security/policy.ts'
import { discover, refuseAddress } from './discovery.ts'
import {
  type OidcConfig,
  type ProviderInput,
  readCertificates,
  readDomains,
  type SamlConfig,
} from './input.ts'

interface ProviderRow {
  providerId: string
  issuer: string
  isOidc: boolean
  domainVerified: boolean
  verificationToken: string
  domains: { domain: string; isVerified: boolean }[]
}

export async function readProvider(ctx: Context<'config'>) {
  const row = await loadProvider(ctx.db, ctx.caller.organizationId)
  return row === null ? null : presentProvider(ctx, row)
}

/**
 * Sets up the identity provider of an organization. An existing provider is removed with its account links and sessions. The organization's
 * requirement of single sign-on is dropped, because the new provider cannot sign anyone in until its domains are verified.
 */
export async function saveProvider(ctx: Context<'config' | 'keyring'>, input: ProviderInput) {
  refuseWithoutPlan(ctx)
  const domains = readDomains(input.domain)
  const providerId = `sso-${randomBytes(9).toString('hex')}`
  const { issuer, ...config } = await providerColumns(ctx, input, providerId)
  const { organizationId } = ctx.caller
  const row = await transact(ctx.db, async (trx) => {
    await lockOrganization(trx, organizationId)
    await endProvider(trx, organizationId, ctx.clock.now())
    await trx
      .insertInto('ssoProvider')
      .values({
        ...config,
        id: generateId(),
        providerId,
        organizationId,
        issuer,
        userId: ctx.caller.userId,
        domain: domains.join(','),
        domainVerified: false,
        verificationToken: randomBytes(18).toString('base64url'),
        createdAt: ctx.clock.now(),
      })
      .execute()
    await trx
      .insertInto('sso_domains')
      .values(domains.map((domain) => ({ org_id: organizationId, domain, verified_at: null })))
      .execute()
    await record(ctx, trx, 'sso.set_up', `${issuer} for ${domains.join(', ')}`)
    return loadProvider(trx, organizationId)
  })
  if (row === null) throw new Error('The provider was stored, but is not there.')
  return presentProvider(ctx, row)
}

/** Removes the identity provider and ends the sessions that were started through it. Returns whether the organization had a provider. */
export function removeProvider(ctx: CallerContext<'db' | 'clock'>): Promise<{ removed: boolean }> {
  const { organizationId } = ctx.caller
  return transact(ctx.db, async (trx) => {
    await lockOrganization(trx, organizationId)
    const removed = await endProvider(trx, organizationId, ctx.clock.now())
    if (removed !== null) await record(ctx, trx, 'sso.removed', removed)
    return { removed: removed !== null }
  })
}

export async function loadProvider(db: Db | Trx, organizationId: string): Promise<ProviderRow | null> {
  const row = await db
    .selectFrom('ssoProvider')
    .select(['providerId', 'issuer', 'domainVerified', 'verificationToken'])
    .select((eb) => eb('oidcConfig', 'is not', null).as('isOidc'))
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
  if (row === undefined) return null
  const domains = await db
    .selectFrom('sso_domains')
    .select('domain')
    .select((eb) => eb('verified_at', 'is not', null).as('isVerified'))
    .where('org_id', '=', organizationId)
    .orderBy('domain')
    .execute()
  return {
    ...row,
    isOidc: Boolean(row.isOidc),
    domains: domains.map(({ domain, isVerified }) => ({ domain, isVerified: Boolean(isVerified) })),
  }
}

/**
 * Returns the TXT record that proves a domain. It contains the provider's id and token, so a record for an
 * earlier provider proves nothing.
 */
export const txtRecord = (row: Pick<ProviderRow, 'providerId' | 'verificationToken'>, domain: string) => ({
  name: `_slipway-${row.providerId}.${domain}`,
  value: `slipway-verify=${row.verificationToken}`,
})

export const record = (
  ctx: CallerContext<'clock'>,
  trx: Trx,
  action: string,
  detail: string,
): Promise<void> => recordCallerChange(ctx, trx, { action, target: ctx.caller.organizationName, detail })

function presentProvider(ctx: Pick<Ports, 'config'>, row: ProviderRow) {
  const base = `${new URL(ctx.config.baseUrl).origin}/api/auth/sso`
  return {
    issuer: row.issuer,
    domain: row.domains.map(({ domain }) => domain).join(','),
    kind: row.isOidc ? ('oidc' as const) : ('saml' as const),
    domainVerified: row.domainVerified,
    txt: row.domains.map(({ domain, isVerified }) => ({ ...txtRecord(row, domain), domain, isVerified })),
    redirectUri: row.isOidc ? `${base}/callback/${row.providerId}` : null,
    acsUrl: row.isOidc ? null : acsUrl(base, row.providerId),
    entityId: row.isOidc ? null : entityId(base, row.providerId),
  }
}

const acsUrl = (base: string, providerId: string) => `${base}/saml2/sp/acs/${providerId}`

/** Returns the SAML entity id of the service: the address of its metadata, as many identity providers expect. */
const entityId = (base: string, providerId: string) => `${base}/saml2/sp/metadata?providerId=${providerId}`

/** Returns the issuer and the encrypted column for its protocol. Throws 400 unless exactly one protocol is configured. */
async function providerColumns(
  ctx: Pick<Ports, 'config' | 'keyring'>,
  { issuer, oidcConfig, samlConfig }: ProviderInput,
  providerId: string,
) {
  if (oidcConfig !== undefined && samlConfig === undefined) return oidcColumns(ctx, issuer, oidcConfig)
  if (samlConfig !== undefined && oidcConfig === undefined)
    return samlColumns(ctx, issuer, samlConfig, providerId)
  throw invalid('oidcConfig', 'or samlConfig is required, and only one of them')
}

async function oidcColumns(
  ctx: Pick<Ports, 'config' | 'keyring'>,
  given: string,
  { mapping, ...client }: OidcConfig,
) {
  const discovered = await discover(ctx.config, given)
  const config = {
    ...discovered,
    ...client,
    discoveryEndpoint: `${discovered.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    pkce: true,
    scopes: ['openid', 'email', 'profile'],
    mapping: { id: 'sub', email: mapping?.email ?? 'email', name: mapping?.name ?? 'name' },
  }
  return {
    issuer: discovered.issuer,
    oidcConfig: sealConfig(ctx.keyring, 'oidcConfig', JSON.stringify(config)),
    samlConfig: null,
  }
}

function samlColumns(
  ctx: Pick<Ports, 'config' | 'keyring'>,
  issuer: string,
  { entryPoint, cert, mapping }: SamlConfig,
  providerId: string,
) {
  refuseAddress(ctx.config, 'samlConfig.entryPoint', entryPoint)
  const base = `${new URL(ctx.config.baseUrl).origin}/api/auth/sso`
  const self = entityId(base, providerId)
  const config = {
    // In the sign-in library `issuer` is the service that requests the sign-in, so its value is the entity id of Slipway.
    issuer: self,
    audience: self,
    entryPoint,
    cert: readCertificates(cert),
    idpMetadata: { entityID: issuer },
    spMetadata: { entityID: self },
    callbackUrl: `${new URL(ctx.config.baseUrl).origin}/`,
    wantAssertionsSigned: true,
    mapping: { id: 'nameID', email: mapping?.email ?? 'email', name: mapping?.name ?? 'displayName' },
  }
  return {
    issuer,
    oidcConfig: null,
    samlConfig: sealConfig(ctx.keyring, 'samlConfig', JSON.stringify(config)),
  }
}

/**
 * Removes the provider with its account links, its sessions and the requirement to use it. Returns its
 * issuer, or null when there was none.
 */
async function endProvider(trx: Trx, organizationId: string, now: Date): Promise<string | null> {
  const row = await trx
    .deleteFrom('ssoProvider')
    .where('organizationId', '=', organizationId)
    .returning(['providerId', 'issuer'])
    .executeTakeFirst()
  if (row === undefined) return null
  await endSessionsOfProvider(trx, row.providerId)
  await dropSsoRequirement(trx, organizationId, now)
  return row.issuer
}
