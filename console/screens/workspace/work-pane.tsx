import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { memo, useState } from 'react'
import { WORK_TABS, type WorkTab } from '../../routes.ts'
import { workText } from '../../text/workspace.en.ts'
import { ReadmeButton } from '../plan/readme-button.tsx'
import { useTurn } from '../plan/turn/use-turn.ts'
import { isModifierHeld } from '../../ui/browser/held-modifier.ts'
import type { ChosenTicket } from './use-chosen-ticket.ts'
import type { NavigateWorkspace } from '../../state/use-workspace-location.ts'
import { PanelSkeleton, WorkPanel } from './work-panel.tsx'

interface WorkPaneProps {
  project: Project
  chosen: ChosenTicket
  /** Undefined while it depends on a ticket that is not loaded yet. */
  tab: WorkTab | undefined
  go: NavigateWorkspace
}

export const WorkPane = memo(function WorkPane(props: WorkPaneProps) {
  const { go } = props
  const { ticket } = props.chosen
  const tab = props.tab ?? 'plan'
  const [hasReadme, setReadme] = useState(false)
  const isAnswering = useTurn(props.project.id) !== null
  return (
    <>
      <div className="flex h-11 shrink-0 items-center gap-3 border-b border-kumo-line bg-kumo-base px-3">
        <div role="tablist" aria-label={workText.workspace.tabsLabel} className="flex shrink-0 gap-1">
          {WORK_TABS.map((name) => (
            <TabButton
              key={name}
              name={name}
              current={name === tab}
              isBusy={name === 'plan' && isAnswering}
              onChoose={() => go({ tab: name })}
            />
          ))}
        </div>
        {tab === 'plan' ? (
          <ReadmeButton isOpen={hasReadme} onToggle={() => setReadme(!hasReadme)} />
        ) : (
          ticket && <h2 className="min-w-0 truncate text-[13px] text-kumo-subtle">{ticket.title}</h2>
        )}
      </div>
      <div
        role="tabpanel"
        id={`panel-${tab}`}
        aria-labelledby={`tab-${tab}`}
        // Takes the focus of a button in the panel that disappears. Tab skips the panel.
        tabIndex={-1}
        className="flex min-h-0 flex-1 flex-col bg-kumo-canvas"
      >
        {props.tab === undefined ? (
          <PanelSkeleton />
        ) : (
          <WorkPanel {...props} tab={tab} hasReadme={hasReadme} />
        )}
      </div>
    </>
  )
})

function TabButton(props: { name: WorkTab; current: boolean; isBusy: boolean; onChoose: () => void }) {
  const { name, current, onChoose } = props
  const focusNeighbour = (event: React.KeyboardEvent<HTMLButtonElement>) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0 || isModifierHeld(event)) return
    const tabs = [
      ...(event.currentTarget.parentElement?.querySelectorAll<HTMLButtonElement>('[role=tab]') ?? []),
    ]
    const next = tabs.at((tabs.indexOf(event.currentTarget) + by) % tabs.length)
    next?.focus()
    next?.click()
  }
  return (
    <button
      type="button"
      role="tab"
      id={`tab-${name}`}
      aria-selected={current}
      aria-controls={current ? `panel-${name}` : undefined}
      tabIndex={current ? 0 : -1}
      onClick={onChoose}
      onKeyDown={focusNeighbour}
      className={`h-7 cursor-pointer rounded-md px-2.5 text-[13px] font-medium ${current ? 'bg-kumo-fill text-kumo-strong' : 'text-kumo-subtle hover:bg-kumo-tint hover:text-kumo-default'}`}
    >
      {workText.workspace.tabs[name]}
      {props.isBusy && (
        <>
          <span
            aria-hidden="true"
            className="ml-1.5 inline-block size-1.5 animate-pulse-dot rounded-full bg-tide align-middle"
          />
          <span className="sr-only">, {workText.workspace.planAnswering}</span>
        </>
      )}
    </button>
  )
}
