import { SlipwayError } from '@slipway/sdk/errors.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { readAuth, sendAuth } from '../request/auth-words.ts'

/** What the sign-in library knows of a person. */
export interface AccountUser {
  id: string
  name: string
  email: string
  emailVerified: boolean
  twoFactorEnabled: boolean | null
  createdAt: string
}

interface Signed {
  user: AccountUser
  session: { token: string; activeOrganizationId: string | null }
}

/** The person and the session of this browser, from the database and not from the copy in the cookie. */
export const accountQuery = () =>
  queryOptions({
    queryKey: queryKeys.account.all,
    queryFn: async () => {
      const account = await readAuth<Signed | null>('/get-session?disableCookieCache=true')
      // The library answers a session that has ended with nothing.
      if (account === null) throw new SlipwayError('signed out', { code: 'unauthorized', status: 401 })
      return account
    },
  })

/** The user of this browser's session; null without a session. */
export const visitorQuery = () =>
  queryOptions({
    queryKey: queryKeys.visitor,
    queryFn: () => readAuth<{ user: AccountUser } | null>('/get-session?disableCookieCache=true'),
    staleTime: 0,
  })

/** Whether this person has a password; who came by single sign-on has none. */
export const hasPasswordQuery = () =>
  queryOptions({
    queryKey: queryKeys.account.password,
    queryFn: async () => {
      const accounts = await readAuth<{ providerId: string }[]>('/list-accounts')
      return accounts.some(({ providerId }) => providerId === 'credential')
    },
  })

export const updateUser = (input: { name: string }) => sendAuth('/update-user', input)

/** Sets a new password and signs every other session out. */
export const changePassword = (input: { currentPassword: string; newPassword: string }) =>
  sendAuth('/change-password', { ...input, revokeOtherSessions: true })

/** Has a link to `/reset?token=` sent; the answer never tells whether the account exists. */
export const requestPasswordReset = (email: string) => sendAuth('/request-password-reset', { email })

/** Sets a new password with the token of the link, which ends all sessions of the account. */
export const resetPassword = (token: string, newPassword: string) =>
  sendAuth('/reset-password', { token, newPassword })

/**
 * Has the link that verifies an e-mail address sent again. It leads to `callbackURL`, with `?error=` when it is
 * no longer good; that of the sign-up leads to `/verify-email`.
 */
export const sendVerificationEmail = (email: string, callbackURL: string) =>
  sendAuth('/send-verification-email', { email, callbackURL })

/** A trusted device is not asked for a code again for 30 days. */
export interface CodeInput {
  code: string
  trustDevice?: boolean
}

/** Proves the second factor with the code of an authenticator app; it also confirms a set-up. */
export const verifyTotp = (input: CodeInput) => sendAuth('/two-factor/verify-totp', input)

/** Proves the second factor with a backup code, which is used up by it. */
export const verifyBackupCode = (input: CodeInput) => sendAuth('/two-factor/verify-backup-code', input)

/** Begins the set-up of a second factor; it counts once a code was verified. No password: the person has none. */
export const enableTwoFactor = (password?: string) =>
  sendAuth<{ totpURI: string; backupCodes: string[] }>('/two-factor/enable', withPassword(password))

export const disableTwoFactor = (password?: string) => sendAuth('/two-factor/disable', withPassword(password))

/** Answers new backup codes; those from before no longer work. */
export const renewBackupCodes = (password?: string) =>
  sendAuth<{ backupCodes: string[] }>('/two-factor/generate-backup-codes', withPassword(password))

const withPassword = (password: string | undefined) => (password === undefined ? {} : { password })
