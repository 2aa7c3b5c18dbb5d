import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { text } from '../../text/en.ts'
import { useShownPath } from './shown-path.ts'

let pageTitle = ''
let titleCount = 0
const showTitle = () => {
  document.title = titleCount === 0 ? pageTitle : `(${titleCount}) ${pageTitle}`
}

/** Sets the title of the tab: the given parts, then the product's name. */
export function usePageTitle(...parts: string[]): void {
  const title = [...parts, text.product].join(' · ')
  useEffect(() => {
    pageTitle = title
    showTitle()
  }, [title])
}

/** Puts a count before the tab's title: `(2) Projects · Slipway`. 0 removes it. */
export function setTitleCount(next: number): void {
  if (next === titleCount || pageTitle === '') return
  titleCount = next
  showTitle()
}

let isFirstPage = true

/** Returns a ref that focuses the heading when its page opens, so that a screen reader starts there. */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const path = useShownPath()
  useEffect(() => {
    // On the first page the browser decides what has the focus.
    if (!isFirstPage && document.activeElement?.closest('main input, main textarea') == null)
      heading.current?.focus({ preventScroll: true })
    isFirstPage = false
    // A changed path is a new page, even when the same component shows it.
  }, [path])
  return heading
}

/** The heading of a page, focused when the page opens (`useHeadingFocus`). */
export function PageHeading({ children, className = '' }: { children: ReactNode; className?: string }) {
  const heading = useHeadingFocus()
  return (
    <h1
      ref={heading}
      tabIndex={-1}
      className={`text-[22px] leading-tight font-semibold tracking-[-0.015em] text-kumo-strong ${className}`}
    >
      {children}
    </h1>
  )
}
