// The names of this machine. Names below .localhost are left out, because built apps use them.
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Returns whether only this machine can reach a listening address. */
export const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || /^(?:::ffff:)?127\./.test(address)

/**
 * Returns whether `hostname` is a name of this machine. `hostname` must have the form that `URL` returns, with
 * brackets around an IPv6 address.
 */
export const isLoopbackHost = (hostname: string): boolean => LOOPBACK_NAMES.has(hostname)
