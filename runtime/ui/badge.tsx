import type { ReactNode } from 'react'

const HUE_COUNT = 6

interface BadgeProps {
  children: ReactNode
  tone?: 'neutral' | 'good' | 'warn' | 'bad' | undefined
  /** The number of one of six colors, to distinguish values of the same kind. Replaces the color of `tone`. */
  hue?: number | undefined
}

/** A small label. The text carries the meaning; the color only supports it. */
export function Badge({ children, tone = 'neutral', hue }: BadgeProps) {
  const style = hue === undefined || hue < 0 ? tone : `hue-${hue % HUE_COUNT}`
  return <span className={`badge badge-${style}`}>{children}</span>
}
