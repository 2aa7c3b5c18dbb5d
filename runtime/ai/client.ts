import { ApiError } from '../kernel/errors.ts'
import type { AiTaskName, AiTasks } from '../types.gen.ts'
import { fetchResponse, callRoute, readEnvelope } from '../web/api.ts'

/** Runs the AI tasks of `app.json` that this visitor may run. */
export interface BrowserAi {
  /**
   * Runs a task and returns `{ text }`, or the value that the task's schema describes. Calls `onText` with all text received so far, each
   * time more arrives. A task with a schema is not streamed.
   */
  task<Name extends AiTaskName>(
    task: Name,
    input: string | object,
    options?: { onText?: (text: string) => void },
  ): Promise<AiTasks[Name]>
}

export const ai: BrowserAi = {
  async task(task, input, { onText } = {}) {
    const path = `/_app/ai/${encodeURIComponent(task)}`
    if (onText === undefined) return await callRoute('POST', path, { input })
    const response = await fetchResponse('POST', `${path}?stream=1`, { input })
    // A task with a schema is not streamed: its response is JSON.
    const isText = response.headers.get('content-type')?.startsWith('text/plain') === true
    const value = isText
      ? { text: await readStreamedText(response, onText) }
      : (await readEnvelope(response)).data
    return value as AiTasks[typeof task]
  },
}

async function readStreamedText({ body }: Response, onText: (text: string) => void): Promise<string> {
  const [reader, decoder] = [body?.getReader(), new TextDecoder()]
  let text = ''
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return text
      text += decoder.decode(value, { stream: true })
      onText(text)
    }
  } catch (cause) {
    throw new ApiError('model_error', 'The response was cut off. Try again.', { cause })
  }
}
