import { type ReactNode, useEffect, useState } from 'react'
import { text } from '../../text/en.ts'

/**
 * A placeholder that is invisible for 150 ms, so that a fast response causes no flicker. The placeholder takes its space at once, so that
 * the content below it does not move.
 */
export function Skeleton({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" aria-label={text.common.loading}>
      <div aria-hidden="true" className={shown ? '' : 'invisible'}>
        {children}
      </div>
    </div>
  )
}

/** A grey line in place of text that is loading. Use it inside `Skeleton`. */
export function Bar({ className = '' }: { className?: string }) {
  return <div className={`skeleton-bar h-3.5 ${className}`} />
}
