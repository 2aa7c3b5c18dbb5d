import { CursorClickIcon } from '@phosphor-icons/react'
import type { Project, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { WORK_TABS, type WorkTab } from '../../routes.ts'
import { workText } from '../../text/workspace.en.ts'
import { EmptyNote } from '../../ui/empty-note.tsx'
import { BuildPane } from '../builds/build-pane.tsx'
import { TicketDetails } from '../tickets/ticket-details.tsx'
import type { Go } from './use-place.ts'

/** The chosen ticket: how it is being built, and what it says. */
export function WorkPane(props: { project: Project; ticket: Ticket | null; tab: WorkTab; go: Go }) {
  const { project, ticket, tab, go } = props
  if (!ticket)
    return (
      <EmptyNote
        icon={<CursorClickIcon />}
        title={workText.workspace.noTicket}
        hint={workText.workspace.noTicketHint}
      />
    )
  return (
    <>
      <div className="flex h-11 shrink-0 items-center gap-3 border-b border-kumo-line bg-kumo-base px-3">
        <div role="tablist" aria-label={workText.workspace.tabsLabel} className="flex shrink-0 gap-1">
          {WORK_TABS.map((name) => (
            <TabButton key={name} name={name} current={name === tab} onChoose={() => go({ tab: name })} />
          ))}
        </div>
        <h2 className="min-w-0 truncate text-[13px] text-kumo-subtle">{ticket.title}</h2>
      </div>
      <div
        role="tabpanel"
        id={`panel-${tab}`}
        aria-labelledby={`tab-${tab}`}
        className="flex min-h-0 flex-1 flex-col bg-kumo-canvas"
      >
        {tab === 'build' ? (
          <BuildPane key={ticket.id} project={project} ticket={ticket} />
        ) : (
          <TicketDetails key={ticket.id} projectId={project.id} ticket={ticket} />
        )}
      </div>
    </>
  )
}

function TabButton({ name, current, onChoose }: { name: WorkTab; current: boolean; onChoose: () => void }) {
  const step = (event: React.KeyboardEvent<HTMLButtonElement>) => {
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return
    const other = event.currentTarget.parentElement?.querySelector<HTMLButtonElement>('[aria-selected=false]')
    other?.focus()
    other?.click()
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
      onKeyDown={step}
      className={`h-7 cursor-pointer rounded-md px-2.5 text-[13px] font-medium ${current ? 'bg-kumo-fill text-kumo-strong' : 'text-kumo-subtle hover:bg-kumo-tint hover:text-kumo-default'}`}
    >
      {workText.workspace.tabs[name]}
    </button>
  )
}
