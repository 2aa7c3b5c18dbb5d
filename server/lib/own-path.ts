/**
 * Returns whether a browser that opens this address stays on the host. Browsers read a backslash as a slash and drop tabs and line breaks,
 * so that `/\evil.test`, and a tab between two slashes, lead to another site.
 */
export const isOwnPath = (address: string): boolean => /^\/(?!\/)[^\\\p{Cc}]*$/u.test(address)
