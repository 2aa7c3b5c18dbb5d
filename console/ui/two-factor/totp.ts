/** The key of an `otpauth://` URL, in groups of four that can be typed. */
export function readableTotpKey(totpURI: string): string {
  const key = new URL(totpURI).searchParams.get('secret') ?? ''
  return key.replaceAll(/.{4}(?=.)/g, '$& ')
}

/** Removes the spaces with which apps show a code. */
export const bareCode = (typed: string) => typed.replaceAll(/\s/g, '')

/** Whether the code has the six digits of an authenticator app. */
export const isTotpCode = (code: string) => /^\d{6}$/.test(code)
