import type { Tooltip } from '@cloudflare/kumo/components/tooltip'
import { cloneElement, type ReactElement, type ReactNode, useState } from 'react'

interface TooltipProps {
  content: string
  render: ReactElement<{ title?: string; children?: ReactNode }>
  disabled?: boolean
  children?: ReactNode
}

let loadedTooltip: typeof Tooltip | null = null

/** Sets the library's tooltip. Elements that mount afterwards use it. */
export function setTooltip(given: typeof Tooltip): void {
  loadedTooltip = given
}

/**
 * Replaces the library's tooltip in the library's buttons and sidebar (vite.config.ts), because the original adds 38 kB of pop-up code to
 * the first page. Until the original is loaded, the `title` attribute shows the same text. Elements that are mounted already keep their
 * `title`, because replacing an element would lose the focus.
 */
function DeferredTooltip(props: TooltipProps) {
  const [Given] = useState(() => loadedTooltip)
  if (Given) return <Given {...props} />
  const { content, render, disabled = false, children } = props
  const titled = disabled ? {} : { title: content }
  return children === undefined ? cloneElement(render, titled) : cloneElement(render, titled, children)
}

/** Replaces the library's component that shares one delay among tooltips, which `title` attributes do not need. */
function DeferredTooltipProvider({ children }: { children: ReactNode }) {
  return children
}

/** @public The library's bundled files import these two exports by one-letter names. */
export const t = DeferredTooltip
/** @public */
export const n = DeferredTooltipProvider
