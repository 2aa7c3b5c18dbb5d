export interface AuthorizationServer {
  clientId: string
  authorizeUrl: string
  scopes: readonly string[]
  /** The separator between scopes, if not a space. */
  scopeMark?: ',' | undefined
  /** The name of the parameter that lists the scopes, if not `scope`. */
  scopeName?: 'scope' | 'user_scope' | undefined
  /** False when the provider rejects or does not document PKCE. The client secret and the state then protect the code. */
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
  /** The issuer that an OpenID Connect id token must name; `*` matches any tenant. */
  issuer?: string
  /** The URL that lists a person's email addresses, if the profile does not contain them. */
  emailsUrl?: string
}

/** Providers that need only a client id and a client secret. */
export const PROVIDER_PRESETS: Readonly<Record<string, Omit<Provider, 'id' | 'clientId' | 'clientSecret'>>> =
  {
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

/** An OpenID Connect provider returns an id token that contains the nonce of the sign-in. */
export const hasIdToken = ({ scopes }: Provider): boolean => scopes.includes('openid')
