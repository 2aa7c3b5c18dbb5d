/** The nonce of the page's content policy for styles added by scripts; empty under the development server. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
