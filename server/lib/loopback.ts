// Not *.localhost: built apps live there.
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a host, as `URL` writes it, is this machine itself. */
export const isLoopbackHost = (hostname: string): boolean => LOOPBACK_NAMES.has(hostname)
