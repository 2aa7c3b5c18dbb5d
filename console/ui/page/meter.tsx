/** A bar that shows how much of a limit is used. `isNear` colours it as a warning. */
export function Meter({
  used,
  limit,
  isNear,
  ...label
}: {
  used: number
  limit: number
  isNear: boolean
  'aria-label'?: string
  'aria-labelledby'?: string
}) {
  return (
    <div
      role="meter"
      {...label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
      className="h-2 overflow-hidden rounded-full bg-kumo-fill"
    >
      <div
        className={`h-full rounded-full ${isNear ? 'bg-kumo-danger' : 'bg-tide'}`}
        style={{ width: `${Math.min(100, (used / limit) * 100)}%` }}
      />
    </div>
  )
}
