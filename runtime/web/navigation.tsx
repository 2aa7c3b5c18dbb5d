import {
  type AnchorHTMLAttributes,
  createContext,
  type MouseEvent,
  useContext,
  useSyncExternalStore,
} from 'react'
import { decodeSegment } from './match-path.ts'

/**
 * The path and parameters of the page. The router sets them, and so does the check of a build, which renders
 * pages without an address bar.
 */
export const RouteContext = createContext<{ path: string; params: Record<string, string> } | null>(null)

const pathListeners = new Set<() => void>()

function addPathListener(listener: () => void): () => void {
  pathListeners.add(listener)
  window.addEventListener('popstate', listener)
  return () => {
    pathListeners.delete(listener)
    window.removeEventListener('popstate', listener)
  }
}

/** Without a slash at its end, because pages such as `/account` are found by their exact path. */
const currentPath = (): string => (globalThis.location?.pathname ?? '/').replace(/(?<=.)\/+$/, '')

/** Navigates to a path of this app, which may end with the `#id` of an element; `replace` adds no history entry. */
export function navigate(path: string, options: { replace?: boolean } = {}): void {
  if (options.replace === true) history.replaceState(null, '', path)
  else history.pushState(null, '', path)
  for (const listener of pathListeners) listener()
  if (location.hash === '') window.scrollTo(0, 0)
  // Later, because the element may be on the page that is rendered after this event.
  else setTimeout(scrollToTarget)
}

/** Scrolls to the element whose id is in the address after `#`, or to the start of the page. */
function scrollToTarget(): void {
  const target = document.getElementById(decodeSegment(location.hash.slice(1)))
  if (target === null) window.scrollTo(0, 0)
  else target.scrollIntoView()
}

/** Returns the current path without the query. */
export function usePath(): string {
  const given = useContext(RouteContext)
  const path = useSyncExternalStore(addPathListener, currentPath, () => '/')
  return given?.path ?? path
}

const currentQuery = (): string => globalThis.location?.search ?? ''

/** Returns a query parameter of the current address; null when it is missing. Renders again when it changes. */
export function useQueryParam(name: string): string | null {
  const query = useSyncExternalStore(addPathListener, currentQuery, () => '')
  return new URLSearchParams(query).get(name)
}

/** Returns the values of the `:name` segments of the current path. */
export function useParams(): Record<string, string> {
  return useContext(RouteContext)?.params ?? {}
}

export type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { to: string }

/** A link inside the app. It is a native link, so it can be copied, opened in a new tab, and used before scripts are loaded. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const followLink = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (event.defaultPrevented || !isPlain || rest.target === '_blank') return
    event.preventDefault()
    navigate(to)
  }
  return <a {...rest} href={to} onClick={followLink} />
}
