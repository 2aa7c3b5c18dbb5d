const OTHER_PLACES = /^\/(api|docs|mcp|i|health|livez|readyz|metrics|openapi\.json|llms\.txt)(\/|$)/

/** The path a plain click on a link of this console leads to; null leaves the click to the browser. */
export function routedPath(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || (link.target && link.target !== '_self') || link.hasAttribute('download')) return null
  const address = new URL(link.href, location.href)
  const isOurs = address.origin === location.origin && !OTHER_PLACES.test(address.pathname)
  if (!isOurs || (address.hash && address.pathname === location.pathname)) return null
  return address.pathname + address.search
}

/** Makes every link of the page a navigation of the router, those inside the kit's parts included. */
export function routeLinks(go: (path: string) => void): void {
  document.addEventListener('click', (event) => {
    const path = routedPath(event)
    if (path === null) return
    event.preventDefault()
    go(path)
  })
}
