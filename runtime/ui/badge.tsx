import type { ReactNode } from 'react'

const HUES = 6

interface BadgeProps {
  children: ReactNode
  tone?: 'neutral' | 'good' | 'warn' | 'bad' | undefined
  /** One of six colors, to tell values of one kind apart. */
  hue?: number | undefined
}

/** A small label. Its text says everything; the color is only an aid. */
export function Badge({ children, tone = 'neutral', hue }: BadgeProps) {
  const style = hue === undefined || hue < 0 ? tone : `hue-${hue % HUES}`
  return <span className={`badge badge-${style}`}>{children}</span>
}
