import { Button } from '@cloudflare/kumo/components/button'
import type { Question } from '@slipway/sdk/frames.ts'
import { useState } from 'react'
import { workText } from '../../text/workspace.en.ts'
import { type Answer, startBuild } from './build-follower.ts'

/** The model's questions as fields; each starts at its default, so going on is always possible. */
export function Questions(props: { projectId: string; ticketId: string; questions: Question[] }) {
  const [answers, setAnswers] = useState<Record<string, string[]>>({})
  const valueOf = (question: Question) => answers[question.id] ?? [question.default]
  const choose = (question: Question, option: string, on: boolean) => {
    const others = question.multiple ? valueOf(question).filter((chosen) => chosen !== option) : []
    setAnswers({ ...answers, [question.id]: on ? [...others, option] : others })
  }
  const send = (event: React.FormEvent) => {
    event.preventDefault()
    startBuild(
      props.projectId,
      props.ticketId,
      props.questions.map((question) => toAnswer(question, valueOf(question))),
    )
  }
  return (
    <form onSubmit={send} className="space-y-5">
      <p className="text-kumo-subtle">{workText.build.questionsLead}</p>
      {props.questions.map((question) => (
        <fieldset key={question.id} className="space-y-1.5">
          <legend className="mb-1.5 font-medium text-kumo-strong">{question.question}</legend>
          {question.options.map((option) => (
            <label
              key={option}
              className="flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-3 ring-1 ring-kumo-line hover:bg-kumo-tint has-checked:bg-tide-tint has-checked:ring-2 has-checked:ring-kumo-focus sm:min-h-9"
            >
              <input
                type={question.multiple ? 'checkbox' : 'radio'}
                name={question.id}
                checked={valueOf(question).includes(option)}
                onChange={(event) => choose(question, option, event.target.checked)}
                className="size-4 shrink-0"
              />
              <span className="min-w-0 flex-1">{option}</span>
              {option === question.default && (
                <span className="text-xs text-kumo-subtle">{workText.build.defaultMark}</span>
              )}
            </label>
          ))}
        </fieldset>
      ))}
      <Button type="submit" variant="primary">
        {workText.build.sendAnswers}
      </Button>
    </form>
  )
}

function toAnswer(question: Question, chosen: string[]): Answer {
  if (question.multiple) return { id: question.id, value: chosen }
  return { id: question.id, value: chosen[0] ?? question.default }
}
