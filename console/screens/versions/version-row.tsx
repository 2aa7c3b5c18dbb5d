import { ArrowCounterClockwiseIcon, GitCommitIcon } from '@phosphor-icons/react'
import type { Project, Version } from '@slipway/sdk/client/types.gen.ts'
import { href } from '../../routes.ts'
import { versionsText as words } from '../../text/code.en.ts'
import { StateDot } from '../../ui/page/state-dot.tsx'
import { readMessage } from './message.ts'
import { RevertButton } from './revert-button.tsx'
import { VersionFacts } from './version-facts.tsx'

interface VersionRowProps {
  project: Project
  version: Version
  newest: string
  isLive: boolean
}

export function VersionRow(props: VersionRowProps) {
  const { project, version } = props
  const Icon = version.runId === null ? ArrowCounterClockwiseIcon : GitCommitIcon
  return (
    <>
      <Icon className="mt-0.5 size-[18px] shrink-0 text-kumo-subtle" aria-hidden="true" />
      <div className="min-w-0 flex-1 space-y-0.5">
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
          <a
            href={href.versions(project.id, { sha: version.sha })}
            className="line-clamp-2 min-w-0 rounded-sm font-medium break-words text-kumo-strong hover:underline"
          >
            {readMessage(version.message).subject}
          </a>
          {version.current && (
            <span className="shrink-0 text-[13px] font-medium text-tide">{words.newest}</span>
          )}
          {props.isLive && (
            <span className="shrink-0 text-[13px]">
              <StateDot tone="good">{words.live}</StateDot>
            </span>
          )}
        </p>
        <VersionFacts projectId={project.id} version={version} />
      </div>
      {!version.current && <RevertButton project={project} version={version} newest={props.newest} isQuiet />}
    </>
  )
}
