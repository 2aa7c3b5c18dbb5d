import { SlipwayError } from '@slipway/sdk/errors.ts'
import { useEffect, useState } from 'react'

/** The time until a retry is allowed by `Retry-After`, in milliseconds; 0 when it is allowed now. */
export function useCountdown(error: unknown): number {
  const waitMs = error instanceof SlipwayError ? (error.retryAfterMs ?? 0) : 0
  const [passed, setPassed] = useState<{ of: unknown; ms: number }>({ of: null, ms: 0 })
  useEffect(() => {
    if (waitMs === 0) return
    const began = performance.now()
    const timer = setInterval(() => {
      const ms = performance.now() - began
      setPassed({ of: error, ms })
      if (ms >= waitMs) clearInterval(timer)
    }, 500)
    return () => clearInterval(timer)
  }, [error, waitMs])
  return Math.max(0, waitMs - (passed.of === error ? passed.ms : 0))
}
