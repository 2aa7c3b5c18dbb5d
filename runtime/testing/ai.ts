import { env } from 'cloudflare:workers'

type Answer = { text: string } | { value: object } | { call: object } | { fails: number }

/** What a model was asked: the last instruction, and the last text of the app or of a person. */
export interface TestPrompt {
  system: string
  prompt: string
}

interface Script {
  add(answers: Answer[]): Promise<void>
  asked(): Promise<TestPrompt[]>
}

const script = () => env['MODELS'] as Script

/** The models of the app under test. Without an answer they repeat what they were asked. */
export interface TestAi {
  /** The next answers, in order: a text, or the value that a schema describes. */
  answers(...answers: (string | object)[]): Promise<void>
  /** Next the model calls this function of `tools`. */
  calls(name: string, input: object): Promise<void>
  /** Next the model fails. */
  fails(): Promise<void>
  /** What the models were asked, the oldest first. */
  asked(): Promise<TestPrompt[]>
}

export const ai: TestAi = {
  answers: (...answers) =>
    script().add(answers.map((one) => (typeof one === 'string' ? { text: one } : { value: one }))),
  calls: (name, input) => script().add([{ call: { name, arguments: input } }]),
  fails: () => script().add([{ fails: 5004 }]),
  asked: async () => (await script().asked()).map(({ system, prompt }) => ({ system, prompt })),
}
