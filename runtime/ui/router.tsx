import { useEffect, useRef } from 'react'
import { pages, people, trackView, type PageEntry } from '../pages.gen.ts'
import { EmptyState } from './empty-state.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { LinkButton } from './button.tsx'
import { matchPath } from '../web/match-path.ts'
import { RouteContext, usePath } from '../web/navigation.tsx'

function matchPage(path: string): { page: PageEntry; params: Record<string, string> } | null {
  const match = matchPath(
    pages.map((page) => page.path),
    path,
  )
  const page = pages.find((one) => one.path === match?.path)
  return match === null || page === undefined ? null : { page, params: match.params }
}

/** Renders the page of the current path. After a navigation it focuses the page's heading. */
export function Pages() {
  const path = usePath()
  const match = matchPage(path)
  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current) isFirst.current = false
    else document.querySelector<HTMLElement>('h1')?.focus()
    trackView?.()
  }, [path])
  if (match === null) {
    const Own = people?.pages[path]
    if (Own !== undefined) return <Own />
    return (
      <EmptyState
        title="This page does not exist"
        action={
          <LinkButton kind="primary" to="/">
            Go to the start page
          </LinkButton>
        }
      >
        The address may have a typing mistake, or the page was removed.
      </EmptyState>
    )
  }
  const { component: Current, access } = match.page
  const page = (
    <ErrorBoundary key={path}>
      <Current />
    </ErrorBoundary>
  )
  return (
    <RouteContext value={{ path, params: match.params }}>
      {people === null || access === 'public' ? page : <people.Gate access={access}>{page}</people.Gate>}
    </RouteContext>
  )
}
