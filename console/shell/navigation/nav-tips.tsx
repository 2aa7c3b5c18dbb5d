import { type FocusEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

const TIP_DELAY_MS = 400

interface NavTip {
  words: string
  leftPx: number
  middlePx: number
}

/**
 * Shows the name of the hovered or focused link (`data-tip`) beside the folded navigation. One tooltip serves all links, because one
 * library tooltip per link took a tenth of the time to open a workspace. Screen readers read the names of the links instead.
 */
export function NavTips({ label, isFolded, children }: NavTipsProps) {
  const [tip, setTip] = useState<NavTip | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const hide = () => {
    clearTimeout(timer.current)
    setTip(null)
  }
  const showTip = (place: Element, delayMs: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setTip(tipOf(place)), delayMs)
  }
  // Hide the tooltip when the navigation is unfolded. Otherwise the tooltip would handle the next Escape.
  useEffect(() => hide, [isFolded])
  useEffect(() => {
    if (!tip) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // Stop the event: Escape closes the tooltip and must not also open the parent page.
      event.stopPropagation()
      setTip(null)
    }
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [tip])
  const onPointerOver = ({ target, pointerType }: PointerEvent<Element>) => {
    if (!isFolded || pointerType === 'touch' || !(target instanceof Element)) return
    const place = target.closest('[data-tip]')
    // While a tooltip is open, the next one opens without delay. Moving the pointer onto the tooltip does not close it
    // (WCAG 1.4.13).
    if (place) showTip(place, tip ? 0 : TIP_DELAY_MS)
    else if (!target.closest('[role=tooltip]')) hide()
  }
  const onFocus = ({ target }: FocusEvent<Element>) => {
    if (isFolded && target.matches('[data-tip]:focus-visible')) showTip(target, 0)
  }
  return (
    <nav
      aria-label={label}
      onPointerOver={onPointerOver}
      onPointerLeave={hide}
      onFocus={onFocus}
      onBlur={hide}
      onClick={hide}
    >
      {children}
      {tip &&
        isFolded &&
        createPortal(
          // The padding closes the gap between tooltip and link, so that the pointer can cross it.
          <div
            role="tooltip"
            aria-hidden="true"
            className="fixed z-50 -translate-y-1/2 pl-2.5"
            style={{ left: tip.leftPx, top: tip.middlePx }}
          >
            <p className="rounded-md bg-kumo-base px-2.5 py-1.5 text-kumo-default shadow-md outline outline-kumo-line">
              {tip.words}
            </p>
          </div>,
          document.body,
        )}
    </nav>
  )
}

interface NavTipsProps {
  label: string
  isFolded: boolean
  children: ReactNode
}

function tipOf(place: Element): NavTip {
  const { right, top, height } = place.getBoundingClientRect()
  return { words: place.getAttribute('data-tip') ?? '', leftPx: right, middlePx: top + height / 2 }
}
