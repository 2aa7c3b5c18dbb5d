import type { ReactNode } from 'react'

const HUES = 6

interface BadgeProps {
  children: ReactNode
  tone?: 'neutral' | 'good' | 'warn' | 'bad' | undefined
  /** One of six colours, for values of one kind that are to be told apart. */
  hue?: number | undefined
}

/** A small label; its text says everything, the colour only helps the eye. */
export function Badge({ children, tone = 'neutral', hue }: BadgeProps) {
  const style = hue === undefined || hue < 0 ? tone : `hue-${hue % HUES}`
  return <span className={`badge badge-${style}`}>{children}</span>
}
