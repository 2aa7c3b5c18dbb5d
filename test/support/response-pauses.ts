type FetchFunction = (request: Request) => Response | Promise<Response>

/** Holds responses in the middle until a test lets them continue, so that the test can act meanwhile without a race. */
export class ResponsePauses {
  readonly #stops = new Map<string, { after: number; passed: PromiseWithResolvers<void> }[]>()

  /** Returns a function that lets the responses with this key continue to their next stop. */
  hold(key: string, stops: number[]): () => void {
    const made = stops.map((after) => ({ after, passed: Promise.withResolvers<void>() }))
    this.#stops.set(key, made)
    const left = [...made]
    return () => left.shift()?.passed.resolve()
  }

  around(answer: FetchFunction): FetchFunction {
    return async (request) => {
      const key = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
      const whole = await answer(request)
      const stops = this.#stops.get(key)
      if (!stops || !whole.body) return whole
      let events = 0
      const halting = new TransformStream<Uint8Array, Uint8Array>({
        async transform(chunk, controller) {
          for (const event of decoder.decode(chunk).split(EVENT_END)) {
            await stops.find(({ after }) => after === events)?.passed.promise
            controller.enqueue(encoder.encode(event))
            events++
          }
        },
      })
      return new Response(whole.body.pipeThrough(halting), whole)
    }
  }
}

const EVENT_END = /(?<=\n\n)/
const decoder = new TextDecoder()
const encoder = new TextEncoder()
