/** The key of an `otpauth://` URL in groups of four, so that a person can type it. */
export function readableTotpKey(totpURI: string): string {
  const key = new URL(totpURI).searchParams.get('secret') ?? ''
  return key.replaceAll(/.{4}(?=.)/g, '$& ')
}

/**
 * Removes the spaces from a code, because authenticator apps show a code with a space in the middle. Replaces full-width digits, which
 * Chinese and Japanese keyboards type, with ASCII digits.
 */
export const withoutSpaces = (typed: string) => typed.normalize('NFKC').replaceAll(/\s/g, '')

/** Whether the code consists of six digits, as authenticator apps produce. */
export const isTotpCode = (code: string) => /^\d{6}$/.test(code)
