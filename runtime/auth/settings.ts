import type { SignInSettings } from './types.ts'

/** The operator's settings of the capability; a worker deployed by hand gets the defaults. */
export interface AuthSettings extends SignInSettings {
  sessionDays: number
}

/** Reads the capability's settings from the live worker's variables. */
export function authSettingsOf(env: unknown): AuthSettings {
  const variables = env as Record<string, unknown>
  return {
    openSignup: variables['AUTH_OPEN_SIGNUP'] !== 'off',
    passwordMin: numberIn(variables['AUTH_PASSWORD_MIN'], 8, 64) ?? 10,
    sessionDays: numberIn(variables['AUTH_SESSION_DAYS'], 1, 365) ?? 30,
  }
}

function numberIn(value: unknown, min: number, max: number): number | null {
  const number = typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isInteger(number) && number >= min && number <= max ? number : null
}
