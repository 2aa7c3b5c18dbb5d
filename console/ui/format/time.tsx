import { formatRelative } from '../../lib/format.ts'

const absoluteFormat = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'long' })

/** A time relative to now. Its tooltip is the exact time with the zone. A text that is not a time, from an app, is shown as it is. */
export function RelativeTime({ at }: { at: string }) {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return <>{at}</>
  return (
    <time dateTime={at} title={absoluteFormat.format(date)}>
      {formatRelative(date, new Date())}
    </time>
  )
}
