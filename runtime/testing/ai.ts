import { env } from 'cloudflare:workers'

type Answer = { text: string } | { value: object } | { call: object } | { fails: number }

/** What a model was asked: the last instruction, and the last text of the app or a person. */
export interface TestPrompt {
  system: string
  prompt: string
}

interface Script {
  add(answers: Answer[]): Promise<void>
  asked(): Promise<TestPrompt[]>
}

const script = () => env['MODELS'] as Script

/** The models of the app under test. Without a scripted answer they repeat the prompt. */
export interface TestAi {
  /** Scripts the next answers, in order: a text, or the value that a schema describes. */
  answers(...answers: (string | object)[]): Promise<void>
  /** Scripts that the model next calls this function of `tools`. */
  calls(name: string, input: object): Promise<void>
  /** Scripts that the model fails next. */
  fails(): Promise<void>
  /** All prompts so far, the oldest first. */
  asked(): Promise<TestPrompt[]>
}

export const ai: TestAi = {
  answers: (...answers) =>
    script().add(answers.map((one) => (typeof one === 'string' ? { text: one } : { value: one }))),
  calls: (name, input) => script().add([{ call: { name, arguments: input } }]),
  fails: () => script().add([{ fails: 5004 }]),
  asked: async () => (await script().asked()).map(({ system, prompt }) => ({ system, prompt })),
}
