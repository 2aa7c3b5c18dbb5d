import { sso } from '@better-auth/sso'
import type { BetterAuthPlugin } from 'better-auth'
import type { Keyring } from '../../crypto/keyring.ts'
import type { PlatformPorts } from '../../platform.ts'
import { resolveUser } from './resolve-user.ts'

/**
 * Routes of the single sign-on plugin that would bypass the rules of the service's routes (server/sso) and show the
 * client secret.
 */
export const DISABLED_SSO_PATHS = [
  '/sso/register',
  '/sso/update-provider',
  '/sso/delete-provider',
  '/sso/providers',
  '/sso/get-provider',
  '/sso/request-domain-verification',
  '/sso/verify-domain',
  '/sso/callback',
]

export function ssoPlugins(platform: PlatformPorts<'keyring'>) {
  return [
    sso({
      // The plugin refuses every provider whose `domainVerified` is false; the service sets this column.
      domainVerification: { enabled: true },
      resolveUser: resolveUser(platform),
      // `joinThroughSso` adds the member instead, in the transaction that creates the session.
      organizationProvisioning: { disabled: true },
      saml: {
        requireTimestamps: true,
        allowIdpInitiated: false,
        enableInResponseToValidation: true,
        clockSkew: 60_000,
        algorithms: { onDeprecated: 'reject' },
      },
    }),
    sealedColumns(platform.keyring),
  ] as const
}

/**
 * Encrypts the columns with client secrets, which the auth library would store in plain text. Its database
 * adapter calls the `transform` of each column declared here.
 */
function sealedColumns(keyring: Keyring) {
  return {
    id: 'slipway-sealed-sso',
    schema: {
      ssoProvider: {
        fields: {
          oidcConfig: sealedField(keyring, 'oidcConfig'),
          samlConfig: sealedField(keyring, 'samlConfig'),
        },
      },
    },
  } satisfies BetterAuthPlugin
}

type SsoColumn = 'oidcConfig' | 'samlConfig'

const sealedField = (keyring: Keyring, column: SsoColumn) => ({
  type: 'string' as const,
  required: false,
  transform: {
    input: (value: unknown) => (typeof value === 'string' ? sealConfig(keyring, column, value) : null),
    output: (value: unknown) => (typeof value === 'string' ? keyring.open(value, columnPlace(column)) : null),
  },
})

/** Each value is encrypted for its column, so that a value copied to another column does not decrypt. */
export const sealConfig = (keyring: Keyring, column: SsoColumn, text: string): string =>
  keyring.seal(text, columnPlace(column))

const columnPlace = (column: SsoColumn) =>
  ({ table: 'ssoProvider', id: '', column, organizationId: '' }) as const
