import type { Question } from '../../agent/frames.ts'
import type { Step } from '../../agent/loop/transcript.ts'
import { invalid } from '../../http/errors.ts'
import { type PreviewError, describePreviewErrors } from '../preview-errors.ts'
import type { Answer } from './run-input.ts'

/** The answer to one question, and whether it is only the default because the user gave none. */
export interface CompleteAnswer extends Answer {
  isDefault: boolean
}

/** Checks answers against the open questions; what is not answered takes its default. */
export function completeAnswers(questions: Question[], given: Answer[]): CompleteAnswer[] {
  const known = new Set(questions.map((question) => question.id))
  const unknown = given.find((answer) => !known.has(answer.id))
  if (unknown !== undefined) throw invalid('answers', `there is no open question "${unknown.id}"`)
  return questions.map((question) => {
    const answer = given.find((item) => item.id === question.id)
    if (Array.isArray(answer?.value) && question.multiple !== true) {
      throw invalid('answers', `"${question.id}" takes one value`)
    }
    return answer === undefined
      ? { id: question.id, value: question.default, isDefault: true }
      : { ...answer, isDefault: false }
  })
}

/** The last step of a run that asked, with the answers as the result of its question; its other calls did not run. */
export function answerStep(step: Step, answers: CompleteAnswer[], previewErrors: PreviewError[]): Step {
  const lines = answers.map(
    ({ id, value, isDefault }) =>
      `${id}: ${Array.isArray(value) ? value.join(', ') : value}${isDefault ? ' (not answered, default taken)' : ''}`,
  )
  const hasAnswered = answers.some(({ isDefault }) => !isDefault)
  const news = previewErrors.length === 0 ? [] : ['', describePreviewErrors(previewErrors)]
  const text = [hasAnswered ? 'The user answered:' : 'The user gave no answers:', ...lines, ...news].join(
    '\n',
  )
  return {
    ...step,
    results: step.calls.map((call) => {
      const result = step.results.find((item) => item.id === call.id)
      if (result?.end?.kind === 'ask') return { ...result, text, end: null }
      return (
        result ?? {
          id: call.id,
          name: call.name,
          ok: false,
          text: 'interrupted: the run ended with your question before this call; make it again if you still need it',
          code: 'interrupted',
          signature: null,
          end: null,
        }
      )
    }),
  }
}
