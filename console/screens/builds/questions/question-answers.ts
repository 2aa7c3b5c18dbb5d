import type { Question } from '@slipway/sdk/frames.ts'
import type { Answer } from '../follow/build-follower.ts'

export interface Chosen {
  options: string[]
  /** Whether the own text is the answer, or one of several. */
  isOwn: boolean
  own: string
}
export type ChosenById = Record<string, Chosen>

/** The state of a question's fields: its default until the person changes it. */
export const chosenFor = (chosen: ChosenById, question: Question): Chosen =>
  chosen[question.id] ?? { options: [question.default], isOwn: false, own: '' }

/** The state after an option was switched on or off; a single choice replaces the others. */
export function withOption(before: Chosen, question: Question, option: string, isOn: boolean): Chosen {
  const others = question.multiple ? before.options.filter((chosen) => chosen !== option) : []
  return {
    ...before,
    isOwn: question.multiple ? before.isOwn : false,
    options: isOn ? [...others, option] : others,
  }
}

export function withOwn(before: Chosen, question: Question, own: string, isOn: boolean): Chosen {
  return { options: question.multiple || !isOn ? before.options : [], isOwn: isOn, own }
}

/** The answer to send: an empty own text does not count, and nothing chosen means the default. */
export function toAnswer(question: Question, { options, isOwn, own }: Chosen): Answer {
  const values = [...options, ...(isOwn && own.trim() !== '' ? [own.trim()] : [])]
  if (question.multiple) return { id: question.id, value: values }
  return { id: question.id, value: values[0] ?? question.default }
}

/** Reads answers stored in this browser; ignores anything that is not answers. */
export function parseChosen(draft: string): ChosenById {
  try {
    const kept = JSON.parse(draft) as unknown
    if (typeof kept !== 'object' || kept === null) return {}
    return Object.fromEntries(
      Object.entries(kept).filter((entry): entry is [string, Chosen] => isChosen(entry[1])),
    )
  } catch {
    return {}
  }
}

function isChosen(value: unknown): value is Chosen {
  const part = value as Partial<Chosen> | null
  return (
    Array.isArray(part?.options) &&
    part.options.every((option) => typeof option === 'string') &&
    typeof part.isOwn === 'boolean' &&
    typeof part.own === 'string'
  )
}
