/** The nonce that the content security policy requires of styles added by scripts. Empty under the development server. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
