import type { CloudflareProfile, Config, GithubProfile } from '../config.ts'
import type { ConnectedProvider, ProfileName } from '../db/tables/connections.ts'

/**
 * Returns the addresses and the OAuth client of Cloudflare or of its local stand-in; null for the stand-in
 * while it is disabled.
 */
export function cloudflareProfile(config: Config, name: ProfileName): CloudflareProfile | null {
  if (config.cloudflare.name === name) return config.cloudflare
  return name === 'real' ? config.real.cloudflare : null
}

/**
 * Returns the addresses and the OAuth client of GitHub or of its local stand-in; null for the stand-in while
 * it is disabled.
 */
export function githubProfile(config: Config, name: ProfileName): GithubProfile | null {
  if (config.github.name === name) return config.github
  return name === 'real' ? config.real.github : null
}

/** Returns the profiles that the operator has configured, the default one first. */
export function signInChoices(config: Config, provider: ConnectedProvider): ProfileName[] {
  const of = provider === 'cloudflare' ? cloudflareProfile : githubProfile
  return (['local', 'real'] as const).filter((name) => of(config, name)?.clientId != null)
}

/**
 * The operator's OAuth client is registered with this address. After a change of the address, sign-ins fail until the new one is
 * registered.
 */
export const callbackUrl = (config: Config, provider: ConnectedProvider): string =>
  `${config.baseUrl}/api/v1/connections/${provider}/callback`
