import { ArrowSquareOutIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { type AttentionBuild, attentionQuery } from '../../api/project/attention.ts'
import { UnseenBuilds } from '../../shell/unseen-builds.ts'
import type { Project, Traffic } from '@slipway/sdk/client/types.gen.ts'
import { href } from '../../routes.ts'
import { text } from '../../text/en.ts'
import { formatCount, formatRelative } from '../../lib/format.ts'
import { ProjectTile } from '../../ui/page/project-tile.tsx'
import { StateDot, type StateTone } from '../../ui/page/state-dot.tsx'
import { hostOf } from '../../ui/format/host.ts'

export type ProjectTraffic = Pick<Traffic['projects'][number], 'requests' | 'errors'>

export function ProjectCard({ project, traffic }: { project: Project; traffic: ProjectTraffic | null }) {
  const state = cardState(project)
  return (
    <li className="relative flex gap-3.5 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line transition-shadow hover:shadow-md hover:ring-tide-line">
      <ProjectTile id={project.id} name={project.name} size="lg" />
      <div className="min-w-0 flex-1">
        <h3 className="truncate font-medium text-kumo-strong">
          <a
            href={href.project(project.id)}
            className="rounded-sm after:absolute after:inset-0 after:rounded-xl"
          >
            {project.name}
          </a>
        </h3>
        <p className="mt-0.5 flex items-center gap-2 text-[13px] text-kumo-subtle">
          <StateDot tone={STATE_TONES[state]}>{text.projects.states[state]}</StateDot>
          <span aria-hidden="true">·</span>
          <span className="truncate">{lastChange(project)}</span>
        </p>
        <NeedsLine projectId={project.id} />
        {traffic && <TrafficLine traffic={traffic} />}
        {project.lifecycle === 'live' && project.url && (
          <a
            href={project.url}
            target="_blank"
            rel="noopener noreferrer"
            className="relative z-10 mt-1.5 -ml-1 inline-flex max-w-full items-center gap-1.5 rounded-md px-1 py-0.5 text-[13px] text-kumo-link hover:underline"
          >
            <span className="sr-only">{text.projects.openLive(project.name)} </span>
            <span className="truncate">{hostOf(project.url)}</span>
            <ArrowSquareOutIcon className="shrink-0" aria-hidden="true" />
          </a>
        )}
      </div>
    </li>
  )
}

/** Shows how many tickets wait for an answer, failed, or were built since the last visit. */
function NeedsLine({ projectId }: { projectId: string }) {
  const all = useQuery(attentionQuery()).data
  if (!all) return null
  const isHere = (item: AttentionBuild) => item.projectId === projectId
  const items = all.filter(isHere)
  const count = (...states: AttentionBuild['state'][]) =>
    items.filter(({ state }) => states.includes(state)).length
  const fresh = new UnseenBuilds().unseen(all).filter(isHere)
  const built = fresh.filter(({ state }) => state === 'built').length
  const { needs } = text.projects
  if (count('asking', 'failed') + built === 0) return null
  return (
    <p className="mt-1 flex flex-wrap gap-x-3 text-[13px] text-kumo-default">
      {count('asking') > 0 && <StateDot tone="ask">{needs.asking(count('asking'))}</StateDot>}
      {count('failed') > 0 && <StateDot tone="bad">{needs.failed(count('failed'))}</StateDot>}
      {built > 0 && <StateDot tone="good">{needs.built(built)}</StateDot>}
    </p>
  )
}

/** Requests and errors of the live app in the last 24 hours. */
function TrafficLine({ traffic: { requests, errors } }: { traffic: ProjectTraffic }) {
  const { traffic: words } = text.projects
  return (
    <p className="mt-0.5 text-[13px] text-kumo-subtle tabular-nums">
      {words.requests(formatCount(requests), requests === 1)}
      {errors > 0 && (
        <span className="text-removed"> · {words.errors(formatCount(errors), errors === 1)}</span>
      )}
      <span> {words.window}</span>
    </p>
  )
}

type CardState = keyof typeof text.projects.states
const STATE_TONES: Record<CardState, StateTone> = {
  live: 'good',
  offline: 'quiet',
  archived: 'quiet',
  creating: 'busy',
  error: 'bad',
}

function cardState(project: Project): CardState {
  if (project.provision.state === 'error') return 'error'
  if (project.provision.state === 'creating') return 'creating'
  return project.lifecycle
}

function lastChange(project: Project): string {
  const now = new Date()
  if (project.lifecycle === 'live' && project.deployedAt)
    return text.projects.shipped(formatRelative(new Date(project.deployedAt), now))
  return text.projects.changed(formatRelative(new Date(project.updatedAt), now))
}
