/**
 * A response body made of pieces of text, at the reader's pace. The first piece is awaited, so that an error
 * before it is an ordinary refusal; a later error closes the connection and is passed to `onBroken`.
 */
export async function textStream(
  pieces: AsyncGenerator<string>,
  onBroken: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  let next = await pieces.next()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (next.done === true) return controller.close()
        controller.enqueue(encoder.encode(next.value))
        try {
          next = await pieces.next()
        } catch (error) {
          onBroken(error)
          controller.error(error)
        }
      },
      cancel: async () => void (await pieces.return(undefined)),
    },
    // Produces nothing before it is read.
    { highWaterMark: 0 },
  )
}
