export interface Frame {
  type: string
  seq?: number
  [field: string]: unknown
}

/**
 * Yields the messages (frames) of an event stream as they arrive. Ends with the stream, whether it is
 * complete or cut off.
 */
export async function* framesOf(answer: Response): AsyncGenerator<Frame> {
  if (answer.body === null || !answer.ok)
    throw new Error(`stream answered ${answer.status}: ${await answer.text()}`)
  let rest = ''
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (data !== undefined) yield JSON.parse(data) as Frame
    }
  }
}
