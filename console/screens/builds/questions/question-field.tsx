import type { Question } from '@slipway/sdk/frames.ts'
import type { ReactNode } from 'react'
import { questionText } from '../../../text/builds.en.ts'
import { workText } from '../../../text/workspace.en.ts'
import { FIELD_STYLE } from '../../../ui/controls/text-field.tsx'
import { type ChosenAnswer, withOption, withOwn } from './question-answers.ts'

export function QuestionField(props: {
  question: Question
  chosen: ChosenAnswer
  onChange: (chosen: ChosenAnswer) => void
}) {
  const { question, chosen, onChange } = props
  return (
    <fieldset className="min-w-0 space-y-1.5">
      <legend className="mb-1.5 font-medium break-words text-kumo-strong">{question.question}</legend>
      {question.options.map((option) => (
        <OptionField
          key={option}
          question={question}
          isChosen={chosen.options.includes(option)}
          onChoose={(isOn) => onChange(withOption(chosen, question, option, isOn))}
        >
          <span className="min-w-0 flex-1 py-1.5 break-words">{option}</span>
          {option === question.default && (
            <span className="text-xs text-kumo-subtle">{workText.build.defaultMark}</span>
          )}
        </OptionField>
      ))}
      <OptionField
        question={question}
        isChosen={chosen.isOwn}
        onChoose={(isOn) => onChange(withOwn(chosen, question, chosen.own, isOn))}
      >
        {questionText.other}
      </OptionField>
      {chosen.isOwn && (
        <input
          aria-label={questionText.otherLabel(question.question)}
          placeholder={questionText.otherPlaceholder}
          value={chosen.own}
          maxLength={1000}
          onChange={(event) => onChange(withOwn(chosen, question, event.target.value, true))}
          className={`${FIELD_STYLE} h-11 ring-kumo-line sm:h-9`}
        />
      )}
    </fieldset>
  )
}

function OptionField(props: {
  question: Question
  isChosen: boolean
  onChoose: (isOn: boolean) => void
  children: ReactNode
}) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-3 ring-1 ring-kumo-line hover:bg-kumo-tint has-checked:bg-tide-tint has-checked:ring-2 has-checked:ring-kumo-focus sm:min-h-9">
      <input
        type={props.question.multiple ? 'checkbox' : 'radio'}
        name={props.question.id}
        checked={props.isChosen}
        onChange={(event) => props.onChoose(event.target.checked)}
        className="size-4 shrink-0"
      />
      {props.children}
    </label>
  )
}
