import { useParams, useSearch } from '@tanstack/react-router'
import { href, RUN_VIEWS, type RunView } from '../../routes.ts'
import { runsText } from '../../text/runs.en.ts'
import { SectionPage } from '../../shell/section-page.tsx'
import { HistoryPanel } from './history-panel.tsx'
import { RunList } from './run-list.tsx'
import { UsagePanel } from './usage-panel.tsx'

const RUN_PANELS = { list: RunList, tokens: UsagePanel, history: HistoryPanel }

export function RunsPage() {
  const { projectId } = useParams({ from: '/app/projects/$projectId/runs' })
  const { view = 'list' } = useSearch({ from: '/app/projects/$projectId/runs' })
  const Panel = RUN_PANELS[view]
  return (
    <SectionPage projectId={projectId} title={runsText.title} lead={runsText.lead}>
      <nav aria-label={runsText.viewsLabel} className="mb-4 flex gap-1 border-b border-kumo-line">
        {RUN_VIEWS.map((name) => (
          <ViewLink key={name} projectId={projectId} name={name} isCurrent={name === view} />
        ))}
      </nav>
      <Panel projectId={projectId} />
    </SectionPage>
  )
}

function ViewLink(props: { projectId: string; name: RunView; isCurrent: boolean }) {
  const view = props.name === 'list' ? undefined : props.name
  return (
    <a
      href={href.runs(props.projectId, view)}
      aria-current={props.isCurrent ? 'page' : undefined}
      className={`-mb-px flex min-h-9 items-center border-b-2 px-3 text-[13px] font-medium -outline-offset-2 ${props.isCurrent ? 'border-kumo-focus text-kumo-strong' : 'border-transparent text-kumo-subtle hover:text-kumo-default'}`}
    >
      {runsText.views[props.name]}
    </a>
  )
}
