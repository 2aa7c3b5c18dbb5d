import type { Api } from './api.ts'
import type { Service } from './service.ts'

interface ScriptStep {
  toolCalls: { name: string; args: object }[]
}

const MODEL_KEY = 'bench'

/**
 * The scripted model, one of the local stand-ins for providers. It returns the steps of its script at once,
 * over the protocol of a real provider.
 */
export class ScriptedModel {
  readonly #control: string
  readonly #token: string

  private constructor(control: string, token: string) {
    this.#control = control
    this.#token = token
  }

  /** Connects the scripted model as the organization's default model. */
  static async connect(service: Service, api: Api): Promise<ScriptedModel> {
    const base = `${service.worldUrl}/model`
    await api.call('POST', '/connections/models', {
      provider: 'openai-compatible',
      label: 'Scripted',
      baseUrl: `${base}/v1`,
      key: MODEL_KEY,
      models: ['scripted'],
      defaultModel: 'scripted',
      isDefault: true,
    })
    return new ScriptedModel(`${base}/_control`, service.controlToken())
  }

  /** Sets the responses from now on, and clears the recorded requests. */
  async play(steps: ScriptStep[]): Promise<void> {
    await this.#callControl('PUT', `/scripts/${MODEL_KEY}`, { steps })
  }

  /** The time at which each call arrived, in milliseconds since the epoch. */
  async callTimes(): Promise<number[]> {
    const calls = (await this.#callControl('GET', `/calls/${MODEL_KEY}`)) as {
      at: number
      problem: string | null
    }[]
    const problem = calls.find((call) => call.problem !== null)
    if (problem !== undefined) throw new Error(`the scripted model could not answer: ${problem.problem}`)
    return calls.map((call) => call.at)
  }

  async #callControl(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(this.#control + path, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
}
