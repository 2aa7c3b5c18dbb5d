import type { Question } from '@slipway/sdk/frames.ts'
import { useEffect, useRef } from 'react'
import { useDraftText } from '../../../shell/use-draft-text.ts'
import { DraftNote } from '../../../shell/draft-note.tsx'
import { useShortcut } from '../../../shell/keys/shortcuts.ts'
import { questionText } from '../../../text/builds.en.ts'
import { workText } from '../../../text/workspace.en.ts'
import { onAskForAnswer } from './answer-request.ts'
import { startBuild } from '../../../state/builds/build-follower.ts'
import { type ChosenAnswer, chosenFor, parseChosen, toAnswer } from './question-answers.ts'
import { QuestionField } from './question-field.tsx'
import { Button } from '../../../ui/controls/button.tsx'

/**
 * A form for the questions of the model. Each field starts at its default, so the form can always be sent.
 */
export function Questions(props: {
  projectId: string
  ticketId: string
  run: string
  questions: Question[]
}) {
  const { questions } = props
  const form = useRef<HTMLFormElement>(null)
  const draft = useDraftText('answers', props.run)
  const chosen = parseChosen(draft.text)
  const choose = (question: Question, next: ChosenAnswer) =>
    draft.write(JSON.stringify({ ...chosen, [question.id]: next }))
  const send = (event: React.FormEvent) => {
    event.preventDefault()
    const answers = questions.map((question) => toAnswer(question, chosenFor(chosen, question)))
    startBuild(props.projectId, props.ticketId, { answers, onAccepted: () => draft.place.store('') })
  }
  const focusFirst = () => {
    const first = questions.findIndex((question) => chosen[question.id] === undefined)
    const field = form.current?.querySelectorAll('fieldset')[Math.max(0, first)]
    field?.querySelector<HTMLElement>('input:checked, input')?.focus()
  }
  useShortcut('answer', focusFirst)
  useShortcut('send', () => form.current?.requestSubmit())
  useEffect(() => onAskForAnswer(focusFirst))
  return (
    <form ref={form} onSubmit={send} className="space-y-6">
      <p className="text-kumo-subtle">{workText.build.questionsLead}</p>
      <DraftNote draft={draft} />
      {questions.map((question) => (
        <QuestionField
          key={question.id}
          question={question}
          chosen={chosenFor(chosen, question)}
          onChange={(next) => choose(question, next)}
        />
      ))}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" variant="primary">
          {workText.build.sendAnswers}
        </Button>
        <p className="text-xs text-kumo-subtle">{questionText.kept}</p>
      </div>
    </form>
  )
}
