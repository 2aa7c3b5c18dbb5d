import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { text } from '../../text/en.ts'
import { useShownPath } from './shown-path.ts'

let pageTitle = ''
let count = 0
const showTitle = () => {
  document.title = count === 0 ? pageTitle : `(${count}) ${pageTitle}`
}

/** Names the browser tab `<thing> · Slipway`. */
export function usePageTitle(...parts: string[]): void {
  const title = [...parts, text.product].join(' · ')
  useEffect(() => {
    pageTitle = title
    showTitle()
  }, [title])
}

/** Puts a number before the tab's title: `(2) Projects · Slipway`. Nothing for 0. */
export function setTitleCount(next: number): void {
  if (next === count || pageTitle === '') return
  count = next
  showTitle()
}

let isFirstPage = true

/** A heading that takes the focus when its page is arrived at, so that a screen reader begins there. */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const path = useShownPath()
  useEffect(() => {
    // On arrival the browser's own focus order stands.
    if (!isFirstPage && document.activeElement?.closest('main input, main textarea') == null)
      heading.current?.focus({ preventScroll: true })
    isFirstPage = false
    // The same screen about another thing is a page of its own.
  }, [path])
  return heading
}

/** The page's heading. */
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
