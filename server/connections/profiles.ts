import type { CloudflareProfile, Config, GithubProfile } from '../config.ts'
import type { ConnectedProvider, ProfileName } from '../db/tables/connections.ts'

/**
 * Returns the addresses and the OAuth client of Cloudflare or its local emulator; null for the emulator while it is
 * disabled.
 */
export function cloudflareProfile(config: Config, name: ProfileName): CloudflareProfile | null {
  if (config.cloudflare.name === name) return config.cloudflare
  return name === 'real' ? config.real.cloudflare : null
}

/** Returns the addresses and the OAuth client of GitHub or its local emulator; null for the emulator while it is disabled. */
export function githubProfile(config: Config, name: ProfileName): GithubProfile | null {
  if (config.github.name === name) return config.github
  return name === 'real' ? config.real.github : null
}

/**
 * Returns the profiles with which a person can sign in at the provider, the local emulator first. A profile without
 * an OAuth client is left out.
 */
export function signInChoices(config: Config, provider: ConnectedProvider): ProfileName[] {
  const of = provider === 'cloudflare' ? cloudflareProfile : githubProfile
  return (['local', 'real'] as const).filter((name) => of(config, name)?.clientId != null)
}

/**
 * Returns the redirect address that must be registered for the operator's OAuth client. It depends on
 * `SLIPWAY_BASE_URL`; after a change of that setting, sign-ins fail until the new address is registered.
 */
export const callbackUrl = (config: Config, provider: ConnectedProvider): string =>
  `${config.baseUrl}/api/v1/connections/${provider}/callback`
