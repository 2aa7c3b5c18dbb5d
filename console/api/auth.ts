import { authPost } from './auth-request.ts'

/** Has a link for a new password sent; the answer never tells whether the account exists. */
export const requestPasswordReset = (email: string) => authPost('/request-password-reset', { email })

/** Sets a new password with the token of the link, which ends all sessions of the account. */
export const resetPassword = (token: string, newPassword: string) =>
  authPost('/reset-password', { token, newPassword })

/** Has the link that verifies an e-mail address sent again; it leads to `callbackURL`. */
export const sendVerificationEmail = (email: string, callbackURL: string) =>
  authPost('/send-verification-email', { email, callbackURL })

/** A trusted device is not asked for a code again for 30 days. */
export interface CodeInput {
  code: string
  trustDevice?: boolean
}

/** Proves the second factor with the code of an authenticator app; it also confirms a set-up. */
export const verifyTotp = (input: CodeInput) => authPost('/two-factor/verify-totp', input)

/** Proves the second factor with a backup code, which is used up by it. */
export const verifyBackupCode = (input: CodeInput) => authPost('/two-factor/verify-backup-code', input)

/** Begins the set-up of a second factor; it counts once a code was verified. */
export const enableTwoFactor = (password: string) =>
  authPost<{ totpURI: string; backupCodes: string[] }>('/two-factor/enable', { password })
