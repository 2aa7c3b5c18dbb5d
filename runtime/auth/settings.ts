import { PROVIDER_PRESETS, type Provider } from './providers.ts'
import type { SignInMethods } from './types.ts'
import type { JsonText } from '../kernel/json-text.ts'
import { readVariable, textVariable, wholeNumberVariable } from '../kernel/variable.ts'

/** The sign-in settings. A worker that was deployed with plain wrangler has the defaults. */
export interface AuthSettings {
  openSignup: boolean
  passwordMin: number
  confirmAddress: boolean
  sessionDays: number
  methods: Omit<SignInMethods, 'oauth'>
  providers: Provider[]
  /** Full addresses that a sign-in may return to, in addition to the app's own pages. */
  redirectUris: string[]
  /** The key for hashing codes; empty in a worker that was deployed with plain wrangler. */
  codeKey: string
}

const PROVIDER_PREFIX = 'AUTH_PROVIDER_'

interface AuthEnv {
  AUTH_REDIRECT_URIS?: JsonText<string[]>
  [provider: `${typeof PROVIDER_PREFIX}${string}`]: JsonText<Omit<Provider, 'clientSecret'>>
  [name: string]: unknown
}

export function authSettingsOf(env: unknown): AuthSettings {
  const variables = env as AuthEnv
  const isOn = (name: string) => variables[name] === 'on'
  return {
    confirmAddress: isOn('AUTH_CONFIRM_ADDRESS'),
    openSignup: variables['AUTH_OPEN_SIGNUP'] !== 'off',
    passwordMin: wholeNumberVariable(env, 'AUTH_PASSWORD_MIN', { absent: 10, least: 8, most: 64 }),
    sessionDays: wholeNumberVariable(env, 'AUTH_SESSION_DAYS', { absent: 30, most: 365 }),
    methods: {
      password: variables['AUTH_PASSWORD'] !== 'off',
      emailCode: isOn('AUTH_EMAIL_CODE'),
      passkey: isOn('AUTH_PASSKEY'),
    },
    providers: Object.keys(variables)
      .filter((name) => name.startsWith(PROVIDER_PREFIX))
      .sort()
      .flatMap((name) => providerOf(variables, name.slice(PROVIDER_PREFIX.length))),
    redirectUris: readVariable(variables.AUTH_REDIRECT_URIS, []),
    codeKey: textVariable(env, 'AUTH_CODE_KEY') ?? '',
  }
}

/** Returns an empty list when the client secret is missing, because the provider cannot be used without it. */
function providerOf(variables: AuthEnv, name: string): Provider[] {
  const clientSecret = textVariable(variables, `AUTH_${name}_SECRET`)
  const text = variables[`${PROVIDER_PREFIX}${name}`]
  if (clientSecret === null || text === undefined) return []
  const given = JSON.parse(text)
  return [{ ...PROVIDER_PRESETS[given.id], ...given, clientSecret }]
}
