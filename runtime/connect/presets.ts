import { type AuthorizationServer, PROVIDER_PRESETS as SIGN_IN } from '../auth/providers.ts'
import type { TokenServer } from '../auth/sign-in/oauth-exchange.ts'

export interface ConnectService {
  authorizeUrl: string
  tokenUrl: string
  /**
   * The base address of the API. It is an origin without a path, so that apps can use the paths as the
   * documentation of the service writes them.
   */
  apiBase: string
  /** The scopes to request when the app declares none. */
  scopes: string[]
  /** Scopes to request besides those that the app declares. Without them a connection expires after an hour or is rejected. */
  neededScopes?: string[]
  /** The address that revokes tokens; `*` is replaced by the client id. */
  revokeUrl?: string | undefined
  /** How `revokeUrl` expects the token if not as in RFC 7009: as a bearer token, or in this JSON field. */
  revokeForm?: 'bearer' | 'token' | 'access_token' | undefined
  /** Additional parameters of the authorization request, such as those that request a refresh token. */
  more?: Record<string, string>
  tokenForm?: TokenServer['tokenForm']
  tokenIn?: TokenServer['tokenIn']
  hasPkce?: TokenServer['hasPkce']
  scopeMark?: ','
  scopeName?: AuthorizationServer['scopeName']
  /** Matches the error codes of a rejected token in a response body, whatever the status. If absent, every 401 means a rejected token. */
  tokenErrors?: RegExp
}

const addressesOf = (id: 'google' | 'github' | 'microsoft') => ({
  authorizeUrl: SIGN_IN[id]?.authorizeUrl ?? '',
  tokenUrl: SIGN_IN[id]?.tokenUrl ?? '',
})

/** Services that need only a client id and a client secret. */
export const CONNECT_SERVICES: Readonly<Record<string, ConnectService>> = {
  google: {
    ...addressesOf('google'),
    apiBase: 'https://www.googleapis.com',
    scopes: ['openid', 'email'],
    revokeUrl: 'https://oauth2.googleapis.com/revoke',
    more: { access_type: 'offline', prompt: 'consent' },
  },
  github: {
    ...addressesOf('github'),
    apiBase: 'https://api.github.com',
    scopes: ['read:user'],
    revokeUrl: 'https://api.github.com/applications/*/grant',
    revokeForm: 'access_token',
  },
  microsoft: {
    ...addressesOf('microsoft'),
    apiBase: 'https://graph.microsoft.com',
    scopes: ['User.Read'],
    neededScopes: ['offline_access'],
  },
  slack: {
    authorizeUrl: 'https://slack.com/oauth/v2/authorize',
    tokenUrl: 'https://slack.com/api/oauth.v2.access',
    apiBase: 'https://slack.com',
    scopes: ['users:read'],
    scopeMark: ',',
    // In Slack, `scope` requests scopes of the app's bot, and `user_scope` requests scopes of the person.
    scopeName: 'user_scope',
    tokenIn: 'authed_user',
    hasPkce: false,
    revokeUrl: 'https://slack.com/api/auth.revoke',
    revokeForm: 'bearer',
    // Slack sends these error codes with status 200. `invalid_auth` is left out, because it may also mean that the caller's address is not
    // allowed.
    tokenErrors: /^(token_(revoked|expired)|account_inactive)$/,
  },
  notion: {
    authorizeUrl: 'https://api.notion.com/v1/oauth/authorize',
    tokenUrl: 'https://api.notion.com/v1/oauth/token',
    apiBase: 'https://api.notion.com',
    scopes: [],
    more: { owner: 'user' },
    tokenForm: 'json',
    hasPkce: false,
    revokeUrl: 'https://api.notion.com/v1/oauth/revoke',
    revokeForm: 'token',
  },
  linear: {
    authorizeUrl: 'https://linear.app/oauth/authorize',
    tokenUrl: 'https://api.linear.app/oauth/token',
    apiBase: 'https://api.linear.app',
    scopes: ['read'],
    scopeMark: ',',
    revokeUrl: 'https://api.linear.app/oauth/revoke',
    revokeForm: 'bearer',
  },
  hubspot: {
    authorizeUrl: 'https://app.hubspot.com/oauth/authorize',
    tokenUrl: 'https://api.hubapi.com/oauth/2026-03/token',
    apiBase: 'https://api.hubapi.com',
    scopes: [],
    neededScopes: ['oauth'],
    revokeUrl: 'https://api.hubapi.com/oauth/2026-03/token/revoke',
  },
  dropbox: {
    authorizeUrl: 'https://www.dropbox.com/oauth2/authorize',
    tokenUrl: 'https://api.dropboxapi.com/oauth2/token',
    apiBase: 'https://api.dropboxapi.com',
    scopes: [],
    more: { token_access_type: 'offline' },
    revokeUrl: 'https://api.dropboxapi.com/2/auth/token/revoke',
    revokeForm: 'bearer',
    // A 401 may also mean a missing scope, which renewing the token would not fix.
    tokenErrors: /^(invalid|expired)_access_token$/,
  },
  discord: {
    authorizeUrl: 'https://discord.com/oauth2/authorize',
    tokenUrl: 'https://discord.com/api/oauth2/token',
    apiBase: 'https://discord.com',
    scopes: ['identify'],
    revokeUrl: 'https://discord.com/api/oauth2/token/revoke',
  },
  spotify: {
    authorizeUrl: 'https://accounts.spotify.com/authorize',
    tokenUrl: 'https://accounts.spotify.com/api/token',
    apiBase: 'https://api.spotify.com',
    scopes: [],
    tokenForm: 'basic',
  },
}

/** Returns the scopes to request from a person. `declared` is null when the app declares none. */
export const askedScopes = (
  { scopes, neededScopes = [] }: Pick<ConnectService, 'scopes' | 'neededScopes'>,
  declared: readonly string[] | null,
): string[] => [...new Set([...neededScopes, ...(declared ?? scopes)])]
