import {
  FunnelIcon,
  type Icon,
  KanbanIcon,
  ListBulletsIcon,
  MagnifyingGlassIcon,
  TreeStructureIcon,
} from '@phosphor-icons/react'
import { useRef, useState } from 'react'
import { TICKET_VIEWS, type TicketView } from '../../../routes.ts'
import { useShortcut } from '../../../shell/keys/shortcuts.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { isComposing } from '../../../ui/browser/composing.ts'
import { useSearchParam } from '../../../ui/browser/use-search-param.ts'
import type { NavigateWorkspace } from '../../../state/use-workspace-location.ts'
import { usePane } from '../../../state/tickets/pane-context.ts'
import { FilterPanel } from './filter-panel.tsx'

const VIEW_ICONS: Record<TicketView, Icon> = {
  list: ListBulletsIcon,
  board: KanbanIcon,
  tree: TreeStructureIcon,
}

/** The view, the search and the filters of the tickets. Their state is in the URL. */
export function Toolbar({ view, go }: { view: TicketView; go: NavigateWorkspace }) {
  const { filter } = usePane()
  const [isOpen, setOpen] = useState(false)
  const { q: _words, ...filters } = filter
  const count = Object.keys(filters).length
  return (
    <div className="shrink-0 space-y-2 border-b border-kumo-line bg-kumo-base p-2">
      <div className="flex items-center gap-2">
        <ViewSwitch view={view} go={go} />
        {view !== 'tree' && <SearchField go={go} />}
        {view !== 'tree' && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls="ticket-filters"
            aria-label={count === 0 ? ticketsText.filter : ticketsText.filters(count)}
            title={ticketsText.filter}
            onClick={() => setOpen(!isOpen)}
            className={`flex h-8 shrink-0 cursor-pointer items-center gap-1 rounded-lg px-2 ring-1 pointer-coarse:h-11 pointer-coarse:px-3 ${count > 0 ? 'bg-tide-tint text-tide ring-tide-line' : 'text-kumo-subtle ring-kumo-line hover:bg-kumo-tint'}`}
          >
            <FunnelIcon className="size-4" aria-hidden="true" />
            {count > 0 && <span className="text-xs font-semibold tabular-nums">{count}</span>}
          </button>
        )}
      </div>
      {isOpen && view !== 'tree' && <FilterPanel go={go} />}
    </div>
  )
}

function ViewSwitch({ view, go }: { view: TicketView; go: NavigateWorkspace }) {
  return (
    <div
      role="group"
      aria-label={ticketsText.views.label}
      className="flex shrink-0 rounded-lg bg-kumo-fill p-0.5"
    >
      {TICKET_VIEWS.map((name) => {
        const Shape = VIEW_ICONS[name]
        return (
          <button
            key={name}
            type="button"
            aria-pressed={name === view}
            aria-label={ticketsText.views[name]}
            title={ticketsText.views[name]}
            onClick={() => go({ view: name === 'list' ? undefined : name, pane: 'tickets' })}
            className={`grid h-7 w-8 cursor-pointer place-items-center rounded-md pointer-coarse:h-10 pointer-coarse:w-10 ${name === view ? 'bg-kumo-base text-kumo-strong shadow-sm' : 'text-kumo-subtle hover:text-kumo-default'}`}
          >
            <Shape className="size-4" aria-hidden="true" />
          </button>
        )
      })}
    </div>
  )
}

/** A search field that writes its text to the URL when the typing pauses. */
function SearchField({ go }: { go: NavigateWorkspace }) {
  const { filter } = usePane()
  const writeToUrl = (words: string) => go({ q: words || undefined }, { replace: true })
  const [words, setWords] = useSearchParam(filter.q ?? '', writeToUrl)
  const field = useRef<HTMLInputElement>(null)
  useShortcut('search', () => field.current?.focus())
  return (
    <div className="relative min-w-0 max-w-md flex-1">
      <MagnifyingGlassIcon
        className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-kumo-subtle"
        aria-hidden="true"
      />
      <input
        ref={field}
        type="search"
        aria-label={ticketsText.search}
        placeholder={ticketsText.searchHint}
        value={words}
        maxLength={100}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !isComposing(event)) setWords('')
        }}
        className="h-8 w-full min-w-0 rounded-lg bg-kumo-control pr-2 pl-8 text-kumo-default ring-1 ring-kumo-line outline-none placeholder:text-kumo-placeholder hover:ring-kumo-interact focus:ring-2 focus:ring-kumo-focus"
      />
    </div>
  )
}
