import { LinkButton } from '@cloudflare/kumo/components/button'
import { ArrowSquareOutIcon, CloudArrowUpIcon } from '@phosphor-icons/react'
import type { Project, Version } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { changedBy, invalidateAll, queryKeys } from '../../api/query-keys.ts'
import { connectionsQuery } from '../../api/organization/connections.ts'
import { backUpProject, historyQuery } from '../../api/project/versions.ts'
import { href } from '../../routes.ts'
import { notify } from '../../shell/toasts/toasts.ts'
import { backupText as words } from '../../text/code.en.ts'
import { text } from '../../text/en.ts'
import { FailureNote } from '../../ui/page/failure.tsx'
import { ReasonButton } from '../../ui/controls/reason-button.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { StateDot, type StateTone } from '../../ui/page/state-dot.tsx'
import { RelativeTime } from '../../ui/format/time.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { type BackupState, backupState } from './backup-state.ts'

export function BackupCard({ project, versions }: { project: Project; versions: Version[] }) {
  const client = useQueryClient()
  const connections = useQuery(connectionsQuery())
  const history = useQuery(historyQuery(project.id))
  const backUp = useMutation({
    mutationFn: () => backUpProject(project.id),
    onSuccess: async () => {
      await invalidateAll(client, changedBy.backup(project.id))
      notify(words.done)
    },
    // The code host may have refused the connection, or a repository may have been created before the push failed.
    onError: () => void invalidateAll(client, [...changedBy.backup(project.id), queryKeys.connections.all]),
  })
  const state =
    connections.data && history.data && backupState(connections.data.github, history.data, versions)
  const failed = [connections, history].find((query) => query.isError && !query.data)
  return (
    <Panel
      title={words.title}
      hint={words.hint}
      action={state && <BackupAction {...{ project, versions, state, backUp }} />}
    >
      {failed && (
        <FailureNote title={text.failure.title} error={failed.error} onRetry={() => void failed.refetch()} />
      )}
      {!state && !failed && (
        <Skeleton>
          <Bar className="w-1/2" />
        </Skeleton>
      )}
      {state && <BackupStatus state={state} url={project.repository?.url ?? null} />}
      {backUp.isError && (
        <div className="mt-3">
          <FailureNote title={words.failed} error={backUp.error} takeFocus />
        </div>
      )}
    </Panel>
  )
}

function BackupAction(props: {
  project: Project
  versions: Version[]
  state: BackupState
  backUp: { isPending: boolean; mutate: () => void }
}) {
  const { state, backUp } = props
  if (state.kind === 'not_connected' || state.kind === 'refused')
    return (
      <LinkButton size="sm" variant="secondary" href={href.connections()}>
        {words.connect}
      </LinkButton>
    )
  return (
    <ReasonButton
      size="sm"
      icon={<CloudArrowUpIcon />}
      loading={backUp.isPending}
      reason={whyNoBackup(props.project, props.versions)}
      onClick={() => backUp.mutate()}
    >
      {words.now}
    </ReasonButton>
  )
}

function whyNoBackup({ lifecycle }: Project, versions: Version[]): string | null {
  if (versions.length === 0) return words.nothing
  return lifecycle === 'archived' ? words.archived : null
}

const BACKUP_TONES: Record<BackupState['kind'], StateTone> = {
  not_connected: 'quiet',
  refused: 'bad',
  none: 'quiet',
  current: 'good',
  behind: 'ask',
}

function BackupStatus({ state, url }: { state: BackupState; url: string | null }) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
      <p>
        <StateDot tone={BACKUP_TONES[state.kind]}>{stateSentence(state)}</StateDot>
      </p>
      {state.kind === 'not_connected' && (
        <p className="text-[13px] text-kumo-subtle">{words.notConnectedHint}</p>
      )}
      {(state.kind === 'current' || state.kind === 'behind') && (
        <p className="text-[13px] text-kumo-subtle">
          {words.last(state.sha.slice(0, 7))} <RelativeTime at={state.at} />
        </p>
      )}
      {url !== null && (
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-6 max-w-full min-w-0 items-center gap-1.5 rounded-sm text-[13px] text-kumo-link hover:underline"
        >
          <span className="sr-only">{words.repository}: </span>
          <span className="truncate">{url.replace(/^https?:\/\//, '')}</span>
          <ArrowSquareOutIcon className="shrink-0" aria-hidden="true" />
        </a>
      )}
    </div>
  )
}

function stateSentence(state: BackupState): string {
  switch (state.kind) {
    case 'not_connected':
      return words.notConnected
    case 'refused':
      return words.refused
    case 'none':
      return words.none
    case 'current':
      return words.current
    case 'behind':
      return words.behind(state.count)
  }
}
