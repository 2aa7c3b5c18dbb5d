import { formatRelative } from '../../lib/format.ts'

const absoluteFormat = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'long' })

/**
 * A time relative to now. Its tooltip is the exact time with the zone. A text that an app sent and that is not a time is shown unchanged.
 */
export function RelativeTime({ at }: { at: string }) {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return <>{at}</>
  return (
    <time dateTime={at} title={absoluteFormat.format(date)}>
      {formatRelative(date, new Date())}
    </time>
  )
}
