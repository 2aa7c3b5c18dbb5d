import type { BuildRun } from '@slipway/sdk/client/types.gen.ts'
import { runsText } from '../../text/runs.en.ts'
import { workText } from '../../text/workspace.en.ts'
import { countOf } from '../../lib/format.ts'
import type { StateTone } from '../../ui/page/state-dot.tsx'
import { entryOf } from '../../lib/fields.ts'

export function runOutcome(run: BuildRun): { word: string; tone: StateTone } {
  const words = runsText.outcome
  if (run.status === 'queued') return { word: words.queued, tone: 'busy' }
  if (run.status === 'running') return { word: words.running, tone: 'busy' }
  if (run.status === 'awaiting') return { word: words.awaiting, tone: 'ask' }
  if (run.status === 'failed') return { word: words.failed, tone: 'bad' }
  if (run.status === 'cancelled') return { word: words.cancelled, tone: 'quiet' }
  if (run.outcome === 'replied') return { word: words.replied, tone: 'good' }
  // This run ended with questions. The person has answered them, and another run continued the build.
  if (run.outcome === 'awaiting') return { word: words.answered, tone: 'quiet' }
  return { word: words.built, tone: 'good' }
}

/** The duration of a run so far, in milliseconds; null before it started. */
export function durationMs(run: BuildRun, now: number): number | null {
  if (run.startedAt === null) return null
  // A run that waits for answers has no duration: it is not running, and the time when its wait began is not stored.
  if (run.finishedAt === null && run.status === 'awaiting') return null
  const end = run.finishedAt === null ? now : Date.parse(run.finishedAt)
  return Math.max(0, end - Date.parse(run.startedAt))
}

/** How many checks passed when they last ran, or which failed; null when none ran. */
export function describeChecks(run: Pick<BuildRun, 'checks'>): string | null {
  if (run.checks.length === 0) return null
  const red = run.checks.filter((check) => !check.ok)
  if (red.length === 0) return runsText.checksGreen(countOf(run.checks.length, 'check'))
  return runsText.checksRed(
    red.map(({ name }) => entryOf(workText.build.checkPhases, name) ?? name).join(', '),
  )
}

export function changeOf({ files }: Pick<BuildRun, 'files'>) {
  return files.reduce(
    (sum, file) => ({ added: sum.added + file.added, removed: sum.removed + file.removed }),
    { added: 0, removed: 0 },
  )
}
