import { useEffect, useRef, useState } from 'react'

const ANNOUNCE_INTERVAL_MS = 5000

/** Announces the progress of a task to screen readers: at most every five seconds, and at once when the task ends. */
export function LiveRegion({ sentence, isRunning }: { sentence: string; isRunning: boolean }) {
  const latest = useRef('')
  const [spoken, setSpoken] = useState('')
  latest.current = sentence
  useEffect(() => {
    if (!isRunning) {
      setSpoken(latest.current)
      return
    }
    // Empty the region first. Screen readers do not announce a text that is already there, such as the end of the task before.
    setSpoken('')
    const timer = setInterval(() => setSpoken(latest.current), ANNOUNCE_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isRunning])
  return (
    <p role="status" className="sr-only">
      {spoken}
    </p>
  )
}
