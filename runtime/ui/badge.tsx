import type { ReactNode } from 'react'

const TONES = 6

/** A small label. Without a tone the same text always gets the same colour. */
export function Badge({
  children,
  tone,
}: {
  children: ReactNode
  tone?: 'neutral' | 'good' | 'warn' | 'bad' | undefined
}) {
  const style = tone ?? `hue-${hash(String(children)) % TONES}`
  return <span className={`badge badge-${style}`}>{children}</span>
}

function hash(text: string): number {
  let sum = 7
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0
  return sum
}
