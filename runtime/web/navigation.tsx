import {
  type AnchorHTMLAttributes,
  createContext,
  type MouseEvent,
  useContext,
  useSyncExternalStore,
} from 'react'

/** Set by smoke renders, which have no address. */
export const RouteContext = createContext<{ path: string; params: Record<string, string> } | null>(null)

const listeners = new Set<() => void>()

function listen(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('popstate', listener)
  }
}

const currentPath = (): string => globalThis.location?.pathname ?? '/'

/** Navigates to a path of this app; `replace` adds no history entry. */
export function navigate(path: string, options: { replace?: boolean } = {}): void {
  if (options.replace === true) history.replaceState(null, '', path)
  else history.pushState(null, '', path)
  window.scrollTo(0, 0)
  for (const listener of listeners) listener()
}

/** The current path, without query. */
export function usePath(): string {
  const given = useContext(RouteContext)
  const path = useSyncExternalStore(listen, currentPath, () => '/')
  return given?.path ?? path
}

const currentQuery = (): string => globalThis.location?.search ?? ''

/** Null when the address does not have it. */
export function useQueryParam(name: string): string | null {
  const query = useSyncExternalStore(listen, currentQuery, () => '')
  return new URLSearchParams(query).get(name)
}

/** The values of the `:name` segments of the current path. */
export function useParams(): Record<string, string> {
  return useContext(RouteContext)?.params ?? {}
}

export type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { to: string }

/** A link inside the app. It is a native one, so it opens in a new tab, can be copied, and works before scripts are loaded. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (event.defaultPrevented || !isPlain || rest.target === '_blank') return
    event.preventDefault()
    navigate(to)
  }
  return <a {...rest} href={to} onClick={follow} />
}
