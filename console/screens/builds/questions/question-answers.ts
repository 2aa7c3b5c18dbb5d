import type { Question } from '@slipway/sdk/frames.ts'
import type { QuestionAnswer } from '../../../state/builds/build-follower.ts'
import { isObjectOrList } from '../../../lib/fields.ts'

export interface ChosenAnswer {
  options: string[]
  /** True when the person's own text is the answer, or part of the answer. */
  isOwn: boolean
  own: string
}
export type ChosenAnswersById = Record<string, ChosenAnswer>

/** Returns the current choice for a question: the default option until the person changes it. */
export const chosenFor = (chosen: ChosenAnswersById, question: Question): ChosenAnswer =>
  chosen[question.id] ?? { options: [question.default], isOwn: false, own: '' }

/** Returns the choice after an option was switched on or off. In a single-choice question a switched-on option replaces all others. */
export function withOption(
  before: ChosenAnswer,
  question: Question,
  option: string,
  isOn: boolean,
): ChosenAnswer {
  const others = question.multiple ? before.options.filter((chosen) => chosen !== option) : []
  return {
    ...before,
    isOwn: question.multiple ? before.isOwn : false,
    options: isOn ? [...others, option] : others,
  }
}

export function withOwn(before: ChosenAnswer, question: Question, own: string, isOn: boolean): ChosenAnswer {
  return { options: question.multiple || !isOn ? before.options : [], isOwn: isOn, own }
}

/** Returns the answer to send. Ignores a typed answer that is empty. A single-choice question without any value gets its default. */
export function toAnswer(question: Question, { options, isOwn, own }: ChosenAnswer): QuestionAnswer {
  const values = [...options, ...(isOwn && own.trim() !== '' ? [own.trim()] : [])]
  if (question.multiple) return { id: question.id, value: values }
  return { id: question.id, value: values[0] ?? question.default }
}

/** Reads the answers that are stored in this browser. Ignores entries of another shape. */
export function parseChosen(draft: string): ChosenAnswersById {
  try {
    const kept = JSON.parse(draft)
    if (typeof kept !== 'object' || kept === null) return {}
    return Object.fromEntries(
      Object.entries(kept).filter((entry): entry is [string, ChosenAnswer] => isChosen(entry[1])),
    )
  } catch {
    return {}
  }
}

function isChosen(value: unknown): value is ChosenAnswer {
  return (
    isObjectOrList(value) &&
    Array.isArray(value.options) &&
    value.options.every((option) => typeof option === 'string') &&
    typeof value.isOwn === 'boolean' &&
    typeof value.own === 'string'
  )
}
