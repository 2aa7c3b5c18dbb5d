import { useEffect, useRef, useState } from 'react'
import { workText } from '../../text/workspace.en.ts'
import { countOf } from '../../ui/format.ts'
import { type BuildState, isUnderWay } from './build-state.ts'

const EVERY_MS = 5000

/** One polite line for screen readers: at most every five seconds, and at once when the build ends. */
export function BuildAnnouncer({ state }: { state: BuildState }) {
  const latest = useRef('')
  const [spoken, setSpoken] = useState('')
  const running = isUnderWay(state)
  latest.current = sentenceOf(state)
  useEffect(() => {
    if (!running) {
      setSpoken(latest.current)
      return
    }
    const timer = setInterval(() => setSpoken(latest.current), EVERY_MS)
    return () => clearInterval(timer)
  }, [running])
  return (
    <p role="status" className="sr-only">
      {spoken}
    </p>
  )
}

function sentenceOf(state: BuildState): string {
  if (state.phase === 'built') return workText.build.spoken.built(countOf(state.files.length, 'file'))
  if (!isUnderWay(state)) return workText.build.ended[state.phase as keyof typeof workText.build.ended]
  const step = state.steps.at(-1)
  if (!step) return workText.build.phases[state.phase]
  const path = step.writing?.path ?? step.tools.at(-1)?.path
  return path ? workText.build.spoken.writing(step.n, path) : workText.build.spoken.step(step.n)
}
