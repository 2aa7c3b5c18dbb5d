export interface AuthorizationServer {
  clientId: string
  authorizeUrl: string
  scopes: readonly string[]
  /** The separator of scopes, where that is not a space. */
  scopeMark?: ',' | undefined
  /** The parameter with the scopes, where that is not `scope`. */
  scopeName?: 'scope' | 'user_scope' | undefined
  /** False for a service that refuses or does not document PKCE; the client secret and the state protect the code there. */
  hasPkce?: false | undefined
}

export interface Provider {
  id: string
  title: string
  clientId: string
  clientSecret: string
  authorizeUrl: string
  tokenUrl: string
  userInfoUrl: string
  scopes: string[]
  /** Of providers with OpenID Connect: who must have issued an id token; `*` matches any tenant. */
  issuer?: string
  /** Where a provider lists addresses, if not in the profile. */
  emailsUrl?: string
}

/** The providers that need only a client id and a secret. */
export const PRESETS: Readonly<Record<string, Omit<Provider, 'id' | 'clientId' | 'clientSecret'>>> = {
  google: {
    title: 'Google',
    authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    userInfoUrl: 'https://openidconnect.googleapis.com/v1/userinfo',
    scopes: ['openid', 'email', 'profile'],
    issuer: 'https://accounts.google.com',
  },
  github: {
    title: 'GitHub',
    authorizeUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    userInfoUrl: 'https://api.github.com/user',
    emailsUrl: 'https://api.github.com/user/emails',
    scopes: ['read:user', 'user:email'],
  },
  microsoft: {
    title: 'Microsoft',
    authorizeUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    userInfoUrl: 'https://graph.microsoft.com/oidc/userinfo',
    scopes: ['openid', 'email', 'profile'],
    issuer: 'https://login.microsoftonline.com/*/v2.0',
  },
}

/** A provider that speaks OpenID Connect sends an id token with our nonce. */
export const hasIdToken = ({ scopes }: Provider): boolean => scopes.includes('openid')
