import { useEffect, useEffectEvent, useRef } from 'react'
import { text } from '../../text/en.ts'
import { FailureNote } from '../page/failure.tsx'
import { Button } from '../controls/button.tsx'

/** The end of a list with more pages. Scrolling to it, or its button, loads the next page. */
export function LoadMore(props: { isLoading: boolean; error: unknown; onMore: () => void }) {
  const end = useRef<HTMLDivElement>(null)
  const more = useEffectEvent(() => {
    // After an error only the button retries, because automatic retries would never end.
    if (!props.isLoading && !props.error) props.onMore()
  })
  useEffect(() => {
    const mark = end.current
    if (mark === null) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) more()
    })
    observer.observe(mark)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={end} className="mt-4 text-center">
      {props.error ? (
        <FailureNote title={text.failure.title} error={props.error} onRetry={props.onMore} />
      ) : (
        <Button loading={props.isLoading} onClick={props.onMore}>
          {text.common.more}
        </Button>
      )}
    </div>
  )
}
