import { SlipwayError } from '@slipway/sdk/errors.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { readAuth, sendAuth } from '../request/auth-messages.ts'

/** A user as the sign-in library returns it. */
export interface AccountUser {
  id: string
  name: string
  email: string
  emailVerified: boolean
  twoFactorEnabled: boolean | null
  createdAt: string
}

interface SignedInSession {
  user: AccountUser
  session: { token: string; activeOrganizationId: string | null }
}

/** The user and session of this browser. The service reads them from the database, because the copy in the session cookie may be stale. */
export const accountQuery = () =>
  queryOptions({
    queryKey: queryKeys.account.all,
    queryFn: async () => {
      const account = await readAuth<SignedInSession | null>('/get-session?disableCookieCache=true')
      // Without a session the library returns null with a 200.
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

/** Whether the user has a password. An account made by single sign-on has none. */
export const hasPasswordQuery = () =>
  queryOptions({
    queryKey: queryKeys.account.password,
    queryFn: async () => {
      const accounts = await readAuth<{ providerId: string }[]>('/list-accounts')
      return accounts.some(({ providerId }) => providerId === 'credential')
    },
  })

/** Begins single sign-on with the identity provider for the domain of an e-mail address. Returns the URL of that provider. */
export const beginSso = (email: string, callbackURL: string) =>
  sendAuth<{ url: string }>('/sign-in/sso', { email, callbackURL })

/**
 * Changes the user's name, which is the same in all organizations. Invalidate `changedBy.profile` afterwards, because the navigation shows
 * the name.
 */
export const updateUser = (input: { name: string }) => sendAuth('/update-user', input)

/** Sets a new password and ends all other sessions. */
export const changePassword = (input: { currentPassword: string; newPassword: string }) =>
  sendAuth('/change-password', { ...input, revokeOtherSessions: true })

/** Mails a link to `/reset?token=`. The response is the same whether or not the account exists. */
export const requestPasswordReset = (email: string) => sendAuth('/request-password-reset', { email })

/** Sets a new password with the token from the mailed link. Ends all sessions of the account. */
export const resetPassword = (token: string, newPassword: string) =>
  sendAuth('/reset-password', { token, newPassword })

/**
 * Sends the verification mail again. The link in this mail leads to `callbackURL`, with `?error=` once the link has expired. The link in
 * the sign-up mail leads to `/verify-email` instead.
 */
export const sendVerificationEmail = (email: string, callbackURL: string) =>
  sendAuth('/send-verification-email', { email, callbackURL })

/** A code of the second factor. With `trustDevice` this browser needs no code for 30 days. */
export interface CodeInput {
  code: string
  trustDevice?: boolean
}

/** Verifies the second factor with a code of an authenticator app. Also completes the set-up of a new second factor. */
export const verifyTotp = (input: CodeInput) => sendAuth('/two-factor/verify-totp', input)

/** Verifies the second factor with a backup code. Each backup code works once. */
export const verifyBackupCode = (input: CodeInput) => sendAuth('/two-factor/verify-backup-code', input)

/** Starts the set-up of a second factor, which becomes active when a code is verified. Omit `password` for an account that has none. */
export const enableTwoFactor = (password?: string) =>
  sendAuth<{ totpURI: string; backupCodes: string[] }>('/two-factor/enable', passwordField(password))

/** Removes the second factor and its backup codes. Omit `password` for an account that has none. */
export const disableTwoFactor = (password?: string) =>
  sendAuth('/two-factor/disable', passwordField(password))

/** Returns new backup codes and invalidates the previous ones. */
export const renewBackupCodes = (password?: string) =>
  sendAuth<{ backupCodes: string[] }>('/two-factor/generate-backup-codes', passwordField(password))

const passwordField = (password: string | undefined) => (password === undefined ? {} : { password })
