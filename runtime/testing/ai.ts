import { env } from 'cloudflare:workers'

type Answer = { text: string } | { value: object } | { call: object } | { fails: number }

/** A prompt that a model received: the last system message, and the last message of the app or a person. */
export interface TestPrompt {
  system: string
  prompt: string
}

interface Script {
  add(answers: Answer[]): Promise<void>
  asked(): Promise<TestPrompt[]>
}

const modelScript = () => env['MODELS'] as Script

/** The models of the app under test. Without a scripted answer they return the prompt. */
export interface TestAi {
  /** Scripts the next answers, in order. Each is a text, or the value for a call with a schema. */
  answers(...answers: (string | object)[]): Promise<void>
  /** Makes the model's next answer a call of this function in `tools`. */
  calls(name: string, input: object): Promise<void>
  /** Makes the model's next answer fail. */
  fails(): Promise<void>
  /** Returns all prompts so far, oldest first. */
  asked(): Promise<TestPrompt[]>
}

export const ai: TestAi = {
  answers: (...answers) =>
    modelScript().add(answers.map((one) => (typeof one === 'string' ? { text: one } : { value: one }))),
  calls: (name, input) => modelScript().add([{ call: { name, arguments: input } }]),
  fails: () => modelScript().add([{ fails: 5004 }]),
  asked: async () => (await modelScript().asked()).map(({ system, prompt }) => ({ system, prompt })),
}
