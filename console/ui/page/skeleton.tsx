import { type ReactNode, useEffect, useState } from 'react'
import { text } from '../../text/en.ts'

/** Renders nothing for 150 ms, then a placeholder, so that a fast response does not flicker. */
export function Skeleton({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" aria-label={text.common.loading}>
      {shown && <div aria-hidden="true">{children}</div>}
    </div>
  )
}

export function Bar({ className = '' }: { className?: string }) {
  return <div className={`skeleton-bar h-3.5 ${className}`} />
}
