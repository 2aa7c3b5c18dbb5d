/** The key of an `otpauth://` URL in groups of four, so that a person can type it. */
export function readableTotpKey(totpURI: string): string {
  const key = new URL(totpURI).searchParams.get('secret') ?? ''
  return key.replaceAll(/.{4}(?=.)/g, '$& ')
}

/** Removes the spaces from a code: authenticator apps show it with one. */
export const bareCode = (typed: string) => typed.replaceAll(/\s/g, '')

/** Whether the code consists of six digits, as authenticator apps produce. */
export const isTotpCode = (code: string) => /^\d{6}$/.test(code)
