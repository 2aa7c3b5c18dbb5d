import { planText } from '../../../text/plan.en.ts'
import { CallRow } from '../../../ui/markdown/call-row.tsx'
import { formatCount } from '../../../lib/format.ts'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import { Reasoning } from '../../../ui/markdown/reasoning.tsx'
import type { TurnCall, TurnPart, TurnState } from '../turn/turn-state.ts'
import { entryOf } from '../../../lib/fields.ts'

export function ReplyParts({ parts, grows = false }: { parts: TurnPart[]; grows?: boolean }) {
  return parts.map((part, index) => {
    // Parts are only appended, so the index is a stable key.
    const key = `${index}-${part.kind}`
    if (part.kind === 'calls') return <CallRows key={key} calls={part.calls} />
    if (part.kind === 'reasoning') return <Reasoning key={key} label={planText.thinking} words={part.text} />
    if (part.text.trim() === '') return null
    return <Markdown key={key} text={part.text} grows={grows && index === parts.length - 1} />
  })
}

/** The reasoning and tool calls of a reply in a closed <details> element. */
export function CollapsedParts({ parts }: { parts: TurnPart[] }) {
  const done = parts.filter((part) => part.kind !== 'text')
  if (done.length === 0) return null
  const calls = done.reduce((sum, part) => sum + (part.kind === 'calls' ? part.calls.length : 1), 0)
  return (
    <details className="text-[13px] text-kumo-subtle">
      <summary className="w-fit cursor-pointer rounded-sm py-0.5">{planText.steps(calls)}</summary>
      <div className="mt-1.5 space-y-2">
        <ReplyParts parts={done} />
      </div>
    </details>
  )
}

function CallRows({ calls }: { calls: TurnCall[] }) {
  return (
    <ul className="-mx-1.5 space-y-0.5">
      {calls.map((call) => (
        <CallRow
          key={call.id}
          label={entryOf(planText.calls, call.name) ?? call.name}
          about={call.about}
          isCode={call.name === 'read_file'}
          ok={call.ok}
          failedWord={planText.callFailed}
          answer={call.answer}
          ms={call.ms}
        />
      ))}
    </ul>
  )
}

export function WritingIndicator({ writing }: { writing: TurnState['writing'] }) {
  const words = writing ? (entryOf(planText.callsNow, writing.tool) ?? writing.tool) : planText.waiting
  return (
    <p className="flex items-center gap-2.5 text-[13px] text-kumo-subtle">
      <span className="size-2 animate-pulse-dot rounded-full bg-tide" aria-hidden="true" />
      <span>{words}</span>
      {writing !== null && writing.characters > 0 && (
        <span className="tabular-nums">
          {formatCount(writing.characters)} {planText.characters}
        </span>
      )}
    </p>
  )
}
