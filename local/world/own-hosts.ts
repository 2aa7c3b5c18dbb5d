import { createMiddleware } from 'hono/factory'

/**
 * Accepts only the host names of this machine. Otherwise a web page could reach the stand-ins by its own host name that resolves to this
 * machine (DNS rebinding).
 */
export const rejectForeignHosts = createMiddleware((c, next) => {
  const host = (c.req.header('host') ?? '').toLowerCase().replace(/:\d+$/, '')
  if (['127.0.0.1', 'localhost', '[::1]'].includes(host)) return next()
  return Promise.resolve(c.text('Wrong host.', 421))
})
