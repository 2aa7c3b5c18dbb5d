import * as z from 'zod'
import type { Config } from '../config.ts'
import { ApiError, invalid } from '../http/errors.ts'
import { outboundFetch, OutboundError, refusalOfUrl } from '../lib/outbound.ts'

const DISCOVERY_MS_MAX = 5_000
const DISCOVERY_BYTES_MAX = 64 * 1024

const DiscoveredServer = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
})
type DiscoveredServer = z.output<typeof DiscoveredServer>

/**
 * Reads the discovery document of an OpenID Connect issuer. Throws 400 naming `issuer` when the address is not an issuer or must not be
 * called, and 502 when the address does not respond.
 */
export async function discover(config: Config, issuer: string) {
  const allow = [...config.outboundAllow, ...config.trustedIdpOrigins]
  refuseAddress(config, 'issuer', issuer)
  const document = await readDocument(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, allow)
  // Tokens contain the issuer address from this document, so the configured address must equal the document's, except for a trailing slash.
  if (document.issuer.replace(/\/$/, '') !== issuer.replace(/\/$/, ''))
    throw invalid('issuer', `differs from the issuer in its discovery document, ${document.issuer}`)
  const endpoints = {
    authorizationEndpoint: document.authorization_endpoint,
    tokenEndpoint: document.token_endpoint,
    jwksEndpoint: document.jwks_uri,
    ...(document.userinfo_endpoint !== undefined && { userInfoEndpoint: document.userinfo_endpoint }),
  }
  for (const [name, endpoint] of Object.entries(endpoints)) {
    refuseAddress(config, 'issuer', endpoint)
    const refusal = await refusalOfUrl(new URL(endpoint), allow)
    if (refusal !== null) throw invalid('issuer', `has a ${name} that is not reachable: ${refusal}`)
  }
  return { issuer: document.issuer, ...endpoints, tokenEndpointAuthentication: authMethodOf(document) }
}

/**
 * Throws for an address that is not https, because codes and the client secret could be read in the network. Origins that the operator
 * trusts may use http. No address may contain credentials, a fragment or white space, because requests to such an address would fail as if
 * the issuer did not respond.
 */
export function refuseAddress(config: Config, field: string, address: string): void {
  const url = URL.parse(address)
  const isPlain = url !== null && !/\s/.test(address) && `${url.username}${url.password}${url.hash}` === ''
  if (!isPlain || (url.protocol !== 'https:' && !config.trustedIdpOrigins.includes(url.origin)))
    throw invalid(field, 'must be an https address')
}

function authMethodOf({ token_endpoint_auth_methods_supported: methods }: DiscoveredServer) {
  // A document without this field means `client_secret_basic` (RFC 8414, section 2).
  if (methods === undefined || methods.includes('client_secret_basic')) return 'client_secret_basic' as const
  if (methods.includes('client_secret_post')) return 'client_secret_post' as const
  throw invalid('issuer', 'accepts neither client_secret_basic nor client_secret_post')
}

async function readDocument(url: string, allow: readonly string[]): Promise<DiscoveredServer> {
  const fetch = outboundFetch({ allow, totalTimeoutMs: DISCOVERY_MS_MAX, maxBytes: DISCOVERY_BYTES_MAX })
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' } })
    if (!response.ok) throw invalid('issuer', `responded ${response.status} to ${url}`)
    const read = DiscoveredServer.safeParse(await response.json().catch(() => null))
    if (!read.success) throw invalid('issuer', `has no valid discovery document at ${url}`)
    return read.data
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (error instanceof OutboundError) throw invalid('issuer', error.message)
    throw new ApiError('upstream_error', `The issuer did not respond at ${url}.`, { cause: error })
  } finally {
    await fetch.close()
  }
}
