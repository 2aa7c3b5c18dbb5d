/** The key inside an `otpauth://` address, in groups of four that a person can type. */
export function readableTotpKey(totpURI: string): string {
  const key = new URL(totpURI).searchParams.get('secret') ?? ''
  return key.replaceAll(/.{4}(?=.)/g, '$& ')
}

/** A code as it was meant: apps show it in groups, and a pasted one brings its spaces. */
export const bareCode = (typed: string) => typed.replaceAll(/\s/g, '')

/** Whether these are the six digits of an authenticator app. */
export const isTotpCode = (code: string) => /^\d{6}$/.test(code)
