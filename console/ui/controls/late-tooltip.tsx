import type { Tooltip } from '@cloudflare/kumo/components/tooltip'
import { cloneElement, type ReactElement, type ReactNode, useState } from 'react'

interface TooltipProps {
  content: string
  /** The part the words are about. */
  render: ReactElement<{ title?: string; children?: ReactNode }>
  disabled?: boolean
  children?: ReactNode
}

let tooltip: typeof Tooltip | null = null

/** Hands over the kit's tooltip; what comes on screen from then on has it. */
export function giveTooltip(given: typeof Tooltip): void {
  tooltip = given
}

/**
 * What the kit's buttons and its sidebar get in place of its tooltip (vite.config.ts), which brings 38 kB of pop-up
 * code to the first view. Until that is there the browser's own title says the same; a part on screen is never
 * exchanged, or it would lose the focus.
 */
function LateTooltip(props: TooltipProps) {
  const [Given] = useState(() => tooltip)
  if (Given) return <Given {...props} />
  const { content, render, disabled = false, children } = props
  const titled = disabled ? {} : { title: content }
  return children === undefined ? cloneElement(render, titled) : cloneElement(render, titled, children)
}

/** Groups the delays of the kit's tooltips; the browser's own need none. */
function LateTooltipProvider({ children }: { children: ReactNode }) {
  return children
}

/** @public The kit's files name what they export by letters. */
export const t = LateTooltip
/** @public */
export const n = LateTooltipProvider
