import type * as z from 'zod'

/** An error of Workers AI: its code, and its HTTP status over REST. */
export class AiRefusal extends Error {
  readonly code: number
  readonly status: number
  constructor(code: number, message: string, status = 400) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** Reads the JSON of a model server. Throws an `AiRefusal` for any other response, such as a proxy's HTML page. */
export async function readAnswer<T>(schema: z.ZodType<T>, answer: Response): Promise<T> {
  const text = await answer.text()
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    throw new AiRefusal(3043, `The model server sent an unexpected response: ${text.slice(0, 500)}`, 502)
  }
}
