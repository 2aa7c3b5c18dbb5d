import { X509Certificate } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { parse } from 'tldts'
import * as z from 'zod'
import { invalid } from '../http/errors.ts'

/** The highest number of domains that one provider may claim (docs/limits.md#credentials). */
const DOMAINS_MAX = 10
const CERTIFICATES_MAX = 5

const Claim = z.string().min(1).max(200)

const OidcConfig = z
  .object({
    clientId: z.string().min(1).max(500),
    clientSecret: z.string().min(1).max(2_000).describe('Stored encrypted and never returned.'),
    mapping: z
      .object({ email: Claim.default('email'), name: Claim.default('name') })
      .optional()
      .describe('The claims that hold the address and the name. Omitted: email and name.'),
  })
  .describe('An OpenID Connect provider. Its endpoints come from its discovery document.')

const SamlConfig = z
  .object({
    entryPoint: z.url({ protocol: /^https?$/ }).describe("The provider's sign-on address (HTTP-Redirect)."),
    cert: z
      .union([z.string(), z.array(z.string()).min(1).max(CERTIFICATES_MAX)])
      .describe('The signing certificate as PEM, or several while they rotate.'),
    mapping: z
      .object({ email: Claim.default('email'), name: Claim.default('displayName') })
      .optional()
      .describe(
        'The attributes that hold the address and the name. Omitted: email, else the NameID; displayName.',
      ),
  })
  .describe('A SAML 2.0 provider; `issuer` is its entity id.')

export const ProviderInput = z.object({
  issuer: z
    .string()
    .min(1)
    .max(500)
    .describe('The OpenID Connect issuer, or the entity id of a SAML provider.'),
  domain: z.string().max(2_000).describe('The e-mail domains it signs in, separated by commas; at most 10.'),
  oidcConfig: OidcConfig.optional(),
  samlConfig: SamlConfig.optional(),
})
export type ProviderInput = z.output<typeof ProviderInput>
export type OidcConfig = z.output<typeof OidcConfig>
export type SamlConfig = z.output<typeof SamlConfig>

/** Returns the domains of a comma-separated list in ASCII form, each once. Throws 400 naming `domain`. */
export function readDomains(text: string): string[] {
  const domains = [...new Set(text.split(',').map(readDomain))]
  if (domains.length > DOMAINS_MAX) throw invalid('domain', `must have at most ${DOMAINS_MAX} domains`)
  return domains
}

function readDomain(text: string): string {
  const trimmed = text.trim()
  const ascii = /^\.|[\s/:@?#*\\%]/.test(trimmed) ? '' : domainToASCII(trimmed.toLowerCase())
  const { domain, isIp } = parse(ascii, { allowPrivateDomains: true })
  // `domain` is null for a public suffix like co.uk, which no single organization owns.
  if (ascii === '' || ascii.endsWith('.') || isIp === true || domain === null || !ascii.includes('.'))
    throw invalid('domain', `must be e-mail domains like acme.com, not ${JSON.stringify(trimmed)}`)
  return ascii
}

/** Returns the certificates in PEM form. Throws 400 for text that is not a certificate. */
export function readCertificates(cert: SamlConfig['cert']): string[] {
  return [cert].flat().map((pem) => {
    try {
      return new X509Certificate(pem).toString()
    } catch {
      throw invalid('samlConfig.cert', 'must be an X.509 certificate as PEM')
    }
  })
}
