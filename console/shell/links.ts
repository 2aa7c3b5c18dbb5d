const NON_CONSOLE_PATHS = /^\/(api|docs|mcp|i|health|livez|readyz|metrics|openapi\.json|llms\.txt)(\/|$)/

/** Returns the path that a plain click on a link of this console opens. Null means that the browser handles the click. */
export function routedPath(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || (link.target && link.target !== '_self') || link.hasAttribute('download')) return null
  return pathInConsole(new URL(link.href, location.href), location)
}

/** Returns path, search and fragment of a URL of this console. Null for any other URL and for the current page. */
export function pathInConsole(
  address: URL,
  here: Pick<URL, 'origin' | 'pathname' | 'search'>,
): string | null {
  const { origin, pathname, search, hash } = address
  if (origin !== here.origin || NON_CONSOLE_PATHS.test(pathname)) return null
  return hash && pathname === here.pathname && search === here.search ? null : pathname + search + hash
}

/** Routes the clicks on all links of the page, including those inside library components. */
export function routeLinks(go: (path: string) => void): void {
  document.addEventListener('click', (event) => {
    const path = routedPath(event)
    if (path === null) return
    event.preventDefault()
    go(path)
  })
}
