import { ArrowSquareOutIcon, CaretRightIcon } from '@phosphor-icons/react'
import type { Project, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { memo } from 'react'
import { href } from '../../routes.ts'
import { text } from '../../text/en.ts'
import { workText } from '../../text/workspace.en.ts'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { hostOf } from '../../ui/format/host.ts'
import { ProjectTile } from '../../ui/page/project-tile.tsx'
import { ModelPicker } from '../builds/model/model-picker.tsx'
import { QueueIndicator } from '../builds/queue/queue-indicator.tsx'
import { ShipButton } from '../shipping/ship-button.tsx'
import { BuildButton } from './build-button.tsx'
import { ProjectName } from './project-name.tsx'
import type { NavigateWorkspace } from '../../state/use-workspace-location.ts'

export const WorkspaceHeader = memo(function WorkspaceHeader({
  project,
  ticket,
  go,
}: {
  project: Project
  ticket: Ticket | null
  go: NavigateWorkspace
}) {
  return (
    <header className="flex min-h-14 shrink-0 flex-wrap items-center gap-x-2.5 border-b border-kumo-line bg-kumo-base px-3 py-2 sm:px-4">
      <nav aria-label="Breadcrumb" className="hidden items-center gap-1.5 text-kumo-subtle lg:flex">
        <a href={href.projects()} className="rounded-sm hover:text-kumo-default hover:underline">
          {text.projects.title}
        </a>
        <CaretRightIcon className="size-3" aria-hidden="true" />
      </nav>
      <ProjectTile id={project.id} name={project.name} size="sm" />
      <div className="min-w-0 flex-1 basis-16">
        <ProjectName project={project} />
      </div>
      {/* On a phone the queue has a separate row, so that the project's name is not truncated. */}
      <div className="max-sm:order-last max-sm:basis-full">
        <QueueIndicator projectId={project.id} />
      </div>
      <div className="ml-auto flex shrink-0 items-center gap-1.5 sm:gap-2">
        <ModelPicker projectId={project.id} />
        {project.lifecycle === 'live' && project.url && <LiveAddress url={project.url} />}
        <BuildButton project={project} ticket={ticket} go={go} />
        <ShipButton project={project} ticketId={ticket?.id ?? null} />
      </div>
    </header>
  )
})

function LiveAddress({ url }: { url: string }) {
  return (
    <div className="hidden items-center rounded-lg bg-tide-tint pl-2.5 text-[13px] ring-1 ring-tide-line lg:flex">
      <span className="mr-2 size-2 rounded-full bg-kumo-success" aria-hidden="true" />
      <a
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        className="inline-flex max-w-64 items-center gap-1.5 rounded-sm py-1 text-kumo-default hover:underline"
      >
        <span className="sr-only">{workText.workspace.liveAt} </span>
        <span className="truncate">{hostOf(url)}</span>
        <ArrowSquareOutIcon className="shrink-0 text-kumo-subtle" aria-hidden="true" />
      </a>
      <CopyButton value={url} label={workText.workspace.copyLive} />
    </div>
  )
}
