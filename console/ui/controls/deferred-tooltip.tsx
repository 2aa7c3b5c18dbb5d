import type { Tooltip } from '@cloudflare/kumo/components/tooltip'
import { cloneElement, type ReactElement, type ReactNode, useState } from 'react'

interface TooltipProps {
  content: string
  render: ReactElement<{ title?: string; children?: ReactNode }>
  disabled?: boolean
  children?: ReactNode
}

let tooltip: typeof Tooltip | null = null

/** Sets the library's tooltip; elements that mount afterwards use it. */
export function setTooltip(given: typeof Tooltip): void {
  tooltip = given
}

/**
 * Replaces the library's tooltip in its buttons and sidebar (vite.config.ts), because it brings 38 kB of
 * pop-up code into the first view. Until that is loaded the `title` attribute shows the same text. A mounted
 * element is never replaced, or it would lose the focus.
 */
function DeferredTooltip(props: TooltipProps) {
  const [Given] = useState(() => tooltip)
  if (Given) return <Given {...props} />
  const { content, render, disabled = false, children } = props
  const titled = disabled ? {} : { title: content }
  return children === undefined ? cloneElement(render, titled) : cloneElement(render, titled, children)
}

/** Groups the delays of the library's tooltips; `title` attributes need none. */
function DeferredTooltipProvider({ children }: { children: ReactNode }) {
  return children
}

/** @public The files of the library import these by one-letter names. */
export const t = DeferredTooltip
/** @public */
export const n = DeferredTooltipProvider
