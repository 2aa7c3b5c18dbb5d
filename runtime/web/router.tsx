import { useEffect, useRef } from 'react'
import { pages, people, type PageEntry } from '../pages.gen.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { LinkButton } from '../ui/button.tsx'
import { RouteContext, usePath } from './navigation.tsx'

/** Returns the page of a path, with the values of its parameters; literal segments win. */
export function matchPage(path: string): { page: PageEntry; params: Record<string, string> } | null {
  const segments = segmentsOf(path)
  const matches = pages.flatMap((page) => {
    const params = matchSegments(segmentsOf(page.path), segments)
    return params === null ? [] : [{ page, params }]
  })
  const literals = ({ page }: { page: PageEntry }) =>
    segmentsOf(page.path).filter((part) => !part.startsWith(':')).length
  return matches.sort((a, b) => literals(b) - literals(a))[0] ?? null
}

const segmentsOf = (path: string): string[] => path.split('/').filter((part) => part !== '')

function matchSegments(pattern: string[], segments: string[]): Record<string, string> | null {
  if (pattern.length !== segments.length) return null
  const params: Record<string, string> = {}
  for (const [i, part] of pattern.entries()) {
    const value = segments[i] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = decode(value)
    else if (part !== value) return null
  }
  return params
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** Renders the page of the current path. After navigation the focus is on its heading. */
export function Pages() {
  const path = usePath()
  const match = matchPage(path)
  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current) isFirst.current = false
    else document.querySelector<HTMLElement>('h1')?.focus()
  }, [path])
  if (match === null) {
    const Own = people?.pages[path]
    if (Own !== undefined) return <Own />
    return (
      <EmptyState
        title="This page does not exist"
        action={<LinkButton to="/">Go to the start page</LinkButton>}
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
