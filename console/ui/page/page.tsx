import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { text } from '../../text/en.ts'
import { useShownPath } from './shown-path.ts'

let pageTitle = ''
let count = 0
const showTitle = () => {
  document.title = count === 0 ? pageTitle : `(${count}) ${pageTitle}`
}

/** Sets the title of the tab to `<thing> · Slipway`. */
export function usePageTitle(...parts: string[]): void {
  const title = [...parts, text.product].join(' · ')
  useEffect(() => {
    pageTitle = title
    showTitle()
  }, [title])
}

/** Puts a count before the title of the tab: `(2) Projects · Slipway`; 0 removes it. */
export function setTitleCount(next: number): void {
  if (next === count || pageTitle === '') return
  count = next
  showTitle()
}

let isFirstPage = true

/** A ref that focuses the heading when its page opens, so that a screen reader starts there. */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const path = useShownPath()
  useEffect(() => {
    // On the first page the browser decides the focus.
    if (!isFirstPage && document.activeElement?.closest('main input, main textarea') == null)
      heading.current?.focus({ preventScroll: true })
    isFirstPage = false
    // The same screen with another subject is a new page.
  }, [path])
  return heading
}

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
