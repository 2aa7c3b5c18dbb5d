const QUESTION_END = /[?？؟]["»”)*_]*$/
const LIST_MARK = /^(?:[-*•]|\d+[.)])\s+/
const QUESTIONS_MAX = 10
const LINE_CHARS_MAX = 500

/**
 * Returns the questions that a reply of the plan agent leaves open: its lines that end with a question mark, without list marks,
 * at most 10. plan.md tells the agent to write each question on a separate line.
 */
export function openQuestions(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim().replace(LIST_MARK, ''))
    .filter((line) => QUESTION_END.test(line))
    .slice(0, QUESTIONS_MAX)
    .map((line) => line.slice(0, LINE_CHARS_MAX))
}
