import { workText } from '../../../text/workspace.en.ts'
import { countOf } from '../../../ui/format/format.ts'
import { LiveRegion } from '../../../ui/page/live-region.tsx'
import { type BuildState, isUnderWay } from '../follow/build-state.ts'

export function BuildAnnouncer({ state }: { state: BuildState }) {
  return <LiveRegion sentence={sentenceOf(state)} isRunning={isUnderWay(state)} />
}

function sentenceOf(state: BuildState): string {
  if (state.phase === 'built') return workText.build.spoken.built(countOf(state.files.length, 'file'))
  if (!isUnderWay(state)) return workText.build.ended[state.phase as keyof typeof workText.build.ended]
  const step = state.steps.at(-1)
  if (!step) return workText.build.phases[state.phase]
  const path = step.writing?.path ?? step.tools.at(-1)?.path
  return path ? workText.build.spoken.writing(step.n, path) : workText.build.spoken.step(step.n)
}
