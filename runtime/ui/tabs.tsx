import { Fragment, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'

interface TabItem {
  key: string
  title: string
  content: ReactNode
}

/** Shows one of several views at a time. Arrow keys move from tab to tab. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly TabItem[] }) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState('')
  const open = tabs.find(({ key }) => key === chosen) ?? tabs[0]
  if (open === undefined) return null
  const moveFocus = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const at = (tabs.indexOf(open) + step + tabs.length) % tabs.length
    setChosen(tabs[at]?.key ?? '')
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[at]?.focus()
  }
  return (
    <div className="tabs">
      <div ref={list} role="tablist" aria-label={label} className="tab-list" onKeyDown={moveFocus}>
        {tabs.map(({ key, title }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-selected={key === open.key}
            aria-controls={`${id}-panel`}
            // The Tab key stops only at the open tab.
            tabIndex={key === open.key ? 0 : -1}
            className="tab"
            onClick={() => setChosen(key)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${open.key}`} className="tab-panel">
        {/* Without the key, two tabs with the same component would share its state, such as what was typed. */}
        <Fragment key={open.key}>{open.content}</Fragment>
      </div>
    </div>
  )
}
