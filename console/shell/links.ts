const OTHER_PLACES = /^\/(api|docs|mcp|i|health|livez|readyz|metrics|openapi\.json|llms\.txt)(\/|$)/

/** The path a plain click on a link of this console leads to; null leaves the click to the browser. */
export function routedPath(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || (link.target && link.target !== '_self') || link.hasAttribute('download')) return null
  return placeOf(new URL(link.href, location.href), location)
}

/** The place of this console an address names, with its line or heading; null for one elsewhere or on this very page. */
export function placeOf(address: URL, here: Pick<URL, 'origin' | 'pathname' | 'search'>): string | null {
  const { origin, pathname, search, hash } = address
  if (origin !== here.origin || OTHER_PLACES.test(pathname)) return null
  return hash && pathname === here.pathname && search === here.search ? null : pathname + search + hash
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
