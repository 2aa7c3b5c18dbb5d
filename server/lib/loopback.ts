// Not *.localhost, which built apps use.
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a listening address is reachable from this machine only. */
export const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || /^(?:::ffff:)?127\./.test(address)

/** `hostname` as `URL` writes it, with brackets around a v6 address. */
export const isLoopbackHost = (hostname: string): boolean => LOOPBACK_NAMES.has(hostname)
