import { type ReactNode, useEffect, useRef } from 'react'
import { text } from '../text/en.ts'

/** Names the browser tab `<thing> · Slipway`. */
export function usePageTitle(...parts: string[]): void {
  const title = [...parts, text.product].join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}

let isFirstPage = true

/** The page's heading. It takes the focus after a navigation, so that a screen reader begins there. */
export function PageHeading({ children, className = '' }: { children: ReactNode; className?: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // On arrival the browser's own focus order stands.
    if (!isFirstPage && document.activeElement?.closest('main input, main textarea') == null)
      heading.current?.focus({ preventScroll: true })
    isFirstPage = false
  }, [])
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
