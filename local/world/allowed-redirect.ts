/** The built-in OAuth client may redirect only to this machine or to the service's own address. */
export function isAllowedRedirect(uri: string, baseUrl: string | null): boolean {
  if (!URL.canParse(uri)) return false
  const url = new URL(uri)
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return (
    (url.protocol === 'http:' && isLoopback) || (baseUrl !== null && url.origin === new URL(baseUrl).origin)
  )
}
