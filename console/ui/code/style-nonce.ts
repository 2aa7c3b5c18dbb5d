/** The word the page's content policy lets styles made by scripts carry; empty under the development server. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
