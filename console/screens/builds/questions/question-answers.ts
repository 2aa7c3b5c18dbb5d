import type { Question } from '@slipway/sdk/frames.ts'
import type { Answer } from '../follow/build-follower.ts'

/** What stands in the fields of one question. */
export interface Chosen {
  options: string[]
  /** The answer in one's own words is the one meant, or one of those meant. */
  isOwn: boolean
  own: string
}
export type ChosenById = Record<string, Chosen>

/** What is chosen for a question; before anything was touched, its default. */
export const chosenFor = (chosen: ChosenById, question: Question): Chosen =>
  chosen[question.id] ?? { options: [question.default], isOwn: false, own: '' }

/** The fields after an option was switched on or off; a single choice gives up the others. */
export function withOption(before: Chosen, question: Question, option: string, isOn: boolean): Chosen {
  const others = question.multiple ? before.options.filter((chosen) => chosen !== option) : []
  return {
    ...before,
    isOwn: question.multiple ? before.isOwn : false,
    options: isOn ? [...others, option] : others,
  }
}

/** The fields after the answer in one's own words was switched on or off, or written. */
export function withOwn(before: Chosen, question: Question, own: string, isOn: boolean): Chosen {
  return { options: question.multiple || !isOn ? before.options : [], isOwn: isOn, own }
}

/** What is sent: one's own words count only when there are any, and nothing at all means the default. */
export function toAnswer(question: Question, { options, isOwn, own }: Chosen): Answer {
  const values = [...options, ...(isOwn && own.trim() !== '' ? [own.trim()] : [])]
  if (question.multiple) return { id: question.id, value: values }
  return { id: question.id, value: values[0] ?? question.default }
}

/** Reads answers that were kept on this device; anything else than answers is none. */
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
