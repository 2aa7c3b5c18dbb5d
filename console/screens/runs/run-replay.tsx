import { useQuery } from '@tanstack/react-query'
import type { BuildRun } from '@slipway/sdk/client/types.gen.ts'
import { useMemo } from 'react'
import { runFramesQuery } from '../../api/project/runs.ts'
import { runsText } from '../../text/runs.en.ts'
import { workText } from '../../text/workspace.en.ts'
import { FailureNote } from '../../ui/page/failure.tsx'
import { initialBuild, reduceBuild } from '../../state/builds/build-state.ts'
import { ChecksCard } from '../builds/outcome/checks-card.tsx'
import { FilesCard } from '../builds/outcome/files-card.tsx'
import { Timeline } from '../builds/live/timeline.tsx'
import { ListSkeleton } from './list-skeleton.tsx'
import { entryOf } from '../../lib/fields.ts'

/**
 * Shows a finished build with the same steps, files and checks as during the build. All are computed from the stored messages (frames) of
 * the build's stream.
 */
export function RunReplay({ run }: { run: BuildRun }) {
  const frames = useQuery(runFramesQuery(run.projectId, run.id))
  const state = useMemo(() => frames.data?.reduce(reduceBuild, initialBuild), [frames.data])
  if (frames.isError && !frames.data)
    return (
      <FailureNote title={runsText.framesFailed} error={frames.error} onRetry={() => void frames.refetch()} />
    )
  if (!state) return <ListSkeleton />
  const version = run.sha ? { projectId: run.projectId, sha: run.sha } : null
  const isFolded = frames.data?.some((frame) => frame.type === 'snapshot') ?? false
  const words = state.summary ?? state.message ?? state.error?.message ?? null
  return (
    <>
      {words && (
        <p className="rounded-xl bg-kumo-base px-4 py-3.5 leading-relaxed break-words whitespace-pre-wrap ring-1 ring-kumo-line">
          {state.error && <span className="block">{entryOf(workText.build.kinds, state.error.kind)}</span>}
          {words.trim()}
        </p>
      )}
      {state.checks.length > 0 && (
        <ChecksCard
          checks={state.checks}
          source={{ projectId: run.projectId, sha: run.sha, changed: state.files }}
        />
      )}
      {state.files.length > 0 && <FilesCard files={state.files} version={version} />}
      <section
        aria-labelledby="run-log"
        className="rounded-xl bg-kumo-base px-4 py-3.5 ring-1 ring-kumo-line"
      >
        <h2 id="run-log" className="mb-3 font-medium text-kumo-strong">
          {runsText.replay}
        </h2>
        {isFolded && <p className="mb-3 text-[13px] text-kumo-subtle">{runsText.folded}</p>}
        <Timeline state={state} />
      </section>
    </>
  )
}
