import type { CloudflareProfile, Config, GithubProfile } from '../config.ts'
import type { ConnectedProvider, ProfileName } from '../db/tables/connections.ts'

/** Where a cloud connection of this profile is reached; null for the local cloud while it is off. */
export function cloudflareProfile(config: Config, name: ProfileName): CloudflareProfile | null {
  if (config.cloudflare.name === name) return config.cloudflare
  return name === 'real' ? config.real.cloudflare : null
}

/** The same for the code host. */
export function githubProfile(config: Config, name: ProfileName): GithubProfile | null {
  if (config.github.name === name) return config.github
  return name === 'real' ? config.real.github : null
}

/** The profiles a person can sign in to at this provider, the default one first. */
export function signInChoices(config: Config, provider: ConnectedProvider): ProfileName[] {
  const of = provider === 'cloudflare' ? cloudflareProfile : githubProfile
  return (['local', 'real'] as const).filter((name) => of(config, name)?.clientId != null)
}

/** The address the provider sends the browser back to; registered with the operator's OAuth client. */
export const callbackUrl = (config: Config, provider: ConnectedProvider): string =>
  `${config.baseUrl}/api/v1/connections/${provider}/callback`
